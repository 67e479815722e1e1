"""Pairs of documents whose sentences differ in a number because they speak of two things."""

from __future__ import annotations

Pair = tuple[str, tuple[str, str], tuple[str, str]]
"""A question, (path, text) of the one document, (path, text) of the other."""

TWO_THINGS: list[Pair] = [
    (
        "How long does delivery take?",
        (
            "offer_meyer.md",
            "# Offer of Meyer Antriebe GmbH\n\nDelivery of the gear motors takes 6 weeks after the order.",
        ),
        (
            "offer_schmidt.md",
            "# Offer of Schmidt Technik AG\n\nDelivery of the gear motors takes 9 weeks after the order.",
        ),
    ),
    (
        "What does a conveyor roller cost?",
        (
            "a.txt",
            "Quotation\nSupplier: Northline Ltd\nDate: 3 May 2024\n\n"
            "A conveyor roller costs 27.80 euros including freight.",
        ),
        (
            "b.txt",
            "Quotation\nSupplier: Castor & Sons\nDate: 6 May 2024\n\n"
            "A conveyor roller costs 31.20 euros including freight.",
        ),
    ),
    (
        "How much does the pump weigh?",
        ("alpha.md", "# Data sheet Alpha\n\nThe pump weighs 40 kg without oil."),
        ("beta.md", "# Data sheet Beta\n\nThe pump weighs 52 kg without oil."),
    ),
    (
        "When does the gate close?",
        ("Bremen/house_rules.md", "# House rules Bremen\n\nThe gate closes at 18:00 on weekdays."),
        ("Porto/house_rules.md", "# House rules Porto\n\nThe gate closes at 20:00 on weekdays."),
    ),
    (
        "What was the revenue of the sensor division?",
        (
            "report_2022.md",
            "# Annual report 2022\n\nThe revenue of the sensor division was 5.1 million euros.",
        ),
        (
            "report_2023.md",
            "# Annual report 2023\n\nThe revenue of the sensor division was 6.4 million euros.",
        ),
    ),
    (
        "How many days of leave are left?",
        (
            "leave_vogt.md",
            "# Leave record\n\nName: Anna Vogt\n\nThere are 12 days of leave left at the end of June.",
        ),
        (
            "leave_lis.md",
            "# Leave record\n\nName: Piotr Lis\n\nThere are 7 days of leave left at the end of June.",
        ),
    ),
    (
        "How much is the rent of the hall?",
        ("leases.md", "The rent of the hall in Turin is 4,200 euros a month."),
        ("letter.md", "The rent of the hall in Gdansk is 3,100 euros a month."),
    ),
    (
        "交货期是多长时间？",
        ("报价单_华东机械.md", "# 华东机械有限公司报价单\n\n减速电机的交货期为订货后6周。"),
        ("报价单_南方传动.md", "# 南方传动有限公司报价单\n\n减速电机的交货期为订货后9周。"),
    ),
    (
        "辊筒单价是多少？",
        ("报价1.txt", "报价单\n供应商：宏达五金\n日期：2024年5月3日\n\n不锈钢辊筒的单价为236元，含运费。"),
        ("报价2.txt", "报价单\n供应商：永盛机电\n日期：2024年5月6日\n\n不锈钢辊筒的单价为251元，含运费。"),
    ),
    (
        "员工每天的餐补是多少？",
        ("规定一.md", "上海办事处的员工每人每天餐补为45元。"),
        ("规定二.md", "成都办事处的员工每人每天餐补为35元。"),
    ),
    (
        "传感器业务的营业收入是多少？",
        ("2022年年度报告.md", "# 2022年年度报告\n\n传感器业务的营业收入为5100万元。"),
        ("2023年年度报告.md", "# 2023年年度报告\n\n传感器业务的营业收入为6400万元。"),
    ),
    (
        "水泵的重量是多少？",
        ("说明书A.md", "# 甲型水泵说明书\n\n水泵不含油的重量为40公斤。"),
        ("说明书B.md", "# 乙型水泵说明书\n\n水泵不含油的重量为52公斤。"),
    ),
    (
        "大门几点关闭？",
        ("苏州厂.md", "# 苏州厂门卫规定\n\n工作日大门于18:00关闭。"),
        ("天津厂.md", "# 天津厂门卫规定\n\n工作日大门于20:00关闭。"),
    ),
    (
        "What warranty is given?",
        ("bids/delta.md", "# Bid by Delta Pumps Inc.\n\nThe warranty on all moving parts is 24 months."),
        ("bids/orion.md", "# Bid by Orion Flow BV\n\nThe warranty on all moving parts is 36 months."),
    ),
    (
        "How many seats does the meeting room have?",
        ("rooms_lyon.txt", "Meeting rooms Lyon\n\nThe largest meeting room has 24 seats and a screen."),
        ("rooms_oslo.txt", "Meeting rooms Oslo\n\nThe largest meeting room has 16 seats and a screen."),
    ),
    (
        "What is the monthly salary?",
        (
            "c1.md",
            "# Employment contract\n\nEmployee: Carla Diaz\n\nThe monthly salary is 3,900 euros before tax.",
        ),
        (
            "c2.md",
            "# Employment contract\n\nEmployee: Jonas Berg\n\nThe monthly salary is 4,300 euros before tax.",
        ),
    ),
    (
        "What is the range of the scooter?",
        ("swift.md", "# Swift S1 manual\n\nThe range of the scooter is 35 km on one charge."),
        ("glide.md", "# Glide G4 manual\n\nThe range of the scooter is 48 km on one charge."),
    ),
    (
        "How many parts were on hand?",
        ("stock_march.md", "# Stock report March 2024\n\nAt the end of the month 310 bearings were on hand."),
        ("stock_april.md", "# Stock report April 2024\n\nAt the end of the month 275 bearings were on hand."),
    ),
    (
        "How many visitors came?",
        ("n1.md", "The museum in Ghent counted 41,000 visitors over the summer."),
        ("n2.md", "The museum in Bruges counted 58,000 visitors over the summer."),
    ),
    (
        "What is the password length?",
        ("crm.md", "# Security rules of the Harbour system\n\nPasswords must have at least 10 characters."),
        ("erp.md", "# Security rules of the Ledger system\n\nPasswords must have at least 14 characters."),
    ),
    (
        "质保期多长？",
        ("投标书_长城泵业.md", "# 长城泵业公司投标书\n\n所有运动部件的质保期为24个月。"),
        ("投标书_远大机电.md", "# 远大机电公司投标书\n\n所有运动部件的质保期为36个月。"),
    ),
    (
        "月薪是多少？",
        ("合同1.md", "# 劳动合同\n\n姓名：王伟\n\n乙方的月薪为税前9800元。"),
        ("合同2.md", "# 劳动合同\n\n姓名：李娜\n\n乙方的月薪为税前11500元。"),
    ),
    (
        "电动车的续航里程是多少？",
        ("说明1.md", "# 飞燕电动车使用说明\n\n充满电后的续航里程为35公里。"),
        ("说明2.md", "# 骏马电动车使用说明\n\n充满电后的续航里程为48公里。"),
    ),
    (
        "月末库存多少件？",
        ("三月库存报告.md", "# 2024年3月库存报告\n\n月末轴承库存为310件。"),
        ("四月库存报告.md", "# 2024年4月库存报告\n\n月末轴承库存为275件。"),
    ),
    (
        "参观人数是多少？",
        ("简报1.md", "南京博物馆暑期接待观众共计41000人次。"),
        ("简报2.md", "长沙博物馆暑期接待观众共计58000人次。"),
    ),
    (
        "停车费多少钱？",
        ("东区.md", "# 东区停车场收费办法\n\n小型车停车每小时收费4元。"),
        ("西区.md", "# 西区停车场收费办法\n\n小型车停车每小时收费6元。"),
    ),
]
