"""Pairs of documents whose sentences differ in a number: such as contradict each other, and such as speak of
two things. Each: question, (path, text) of the one, (path, text) of the other."""

from __future__ import annotations

Pair = tuple[str, tuple[str, str], tuple[str, str]]

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
]

TWO_THINGS_HELD_BACK: list[Pair] = [
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

CONTRARY: list[Pair] = [
    (
        "What is the hotel limit in Berlin?",
        (
            "travel_policy_2022.md",
            "# Travel policy\n\nValid from 1 January 2022.\n\n"
            "The hotel limit in Berlin is EUR 110 per night.",
        ),
        (
            "travel_policy_2024.md",
            "# Travel policy\n\nValid from 1 March 2024.\n\nThe hotel limit in Berlin is EUR 145 per night.",
        ),
    ),
    (
        "How many days of annual leave are there?",
        (
            "handbook.md",
            "# Employee handbook\n\nEmployees receive 25 days of annual leave per calendar year.",
        ),
        ("faq.md", "# Intranet FAQ\n\nEmployees receive 28 days of annual leave per calendar year."),
    ),
    (
        "When is the invoice due?",
        ("contract_v1.md", "# Supply contract, version 1\n\nThe invoice is due within 30 days of receipt."),
        ("contract_v2.md", "# Supply contract, version 2\n\nThe invoice is due within 45 days of receipt."),
    ),
    (
        "What is the maximum speed in the hall?",
        (
            "safety_old.md",
            "# Safety rules (superseded)\n\nThe maximum speed of fork lifts in the hall is 10 km/h.",
        ),
        (
            "safety_new.md",
            "# Safety rules (revised)\n\nThe maximum speed of fork lifts in the hall is 6 km/h.",
        ),
    ),
    (
        "How often is the filter changed?",
        (
            "manual_ed1.md",
            "# Compressor manual, first edition\n\nThe filter of the compressor is changed every 500 hours.",
        ),
        (
            "service_bulletin.md",
            "# Service bulletin\n\nThe filter of the compressor is changed every 250 hours.",
        ),
    ),
    (
        "How long are backups kept?",
        ("it_policy.md", "# IT policy\n\nBackups of the file server are kept for 90 days."),
        (
            "memo.md",
            "Memo of the IT department, 4 June 2024\n\nBackups of the file server are kept for 180 days.",
        ),
    ),
    (
        "出差伙食补助标准是多少？",
        (
            "差旅办法2021.md",
            "# 差旅费管理办法\n\n本办法自2021年5月1日起施行。\n\n出差伙食补助标准为每人每天80元。",
        ),
        (
            "差旅办法2023.md",
            "# 差旅费管理办法\n\n本办法自2023年7月1日起施行。\n\n出差伙食补助标准为每人每天100元。",
        ),
    ),
    (
        "年假有多少天？",
        ("员工手册.md", "# 员工手册\n\n员工每年享受15天带薪年休假。"),
        ("常见问题.md", "# 人事常见问题\n\n员工每年享受20天带薪年休假。"),
    ),
    (
        "发票几天内付款？",
        ("合同_初稿.md", "# 供货合同（初稿）\n\n甲方应在收到发票后30日内付款。"),
        ("合同_定稿.md", "# 供货合同（定稿）\n\n甲方应在收到发票后45日内付款。"),
    ),
    (
        "滤芯多久更换一次？",
        ("说明书.md", "# 空压机说明书\n\n空压机滤芯每运行500小时更换一次。"),
        ("通知.md", "# 设备部通知\n\n空压机滤芯每运行250小时更换一次。"),
    ),
    (
        "车间内叉车限速是多少？",
        ("安全规定（旧）.md", "# 安全规定（旧版）\n\n车间内叉车行驶速度不得超过每小时10公里。"),
        ("安全规定（新）.md", "# 安全规定（修订版）\n\n车间内叉车行驶速度不得超过每小时6公里。"),
    ),
    (
        "备份保存多久？",
        ("信息管理制度.md", "# 信息管理制度\n\n文件服务器的备份保存90天。"),
        ("备忘录.md", "2024年6月4日备忘录\n\n文件服务器的备份保存180天。"),
    ),
]

CONTRARY_HELD_BACK: list[Pair] = [
    (
        "How long is the probation period?",
        (
            "terms_2019.md",
            "# Terms of employment\n\nIssued 1 May 2019.\n\n"
            "The probation period lasts 6 months from the first day.",
        ),
        (
            "terms_2023.md",
            "# Terms of employment\n\nIssued 1 May 2023.\n\n"
            "The probation period lasts 3 months from the first day.",
        ),
    ),
    (
        "Up to what amount may a team lead sign?",
        ("signatures.md", "# Signature rules\n\nA team lead may sign orders of up to 5,000 euros."),
        ("purchasing_guide.md", "# Purchasing guide\n\nA team lead may sign orders of up to 8,000 euros."),
    ),
    (
        "What is the limit for gifts?",
        (
            "compliance_draft.md",
            "# Code of conduct (draft)\n\nGifts worth more than 35 euros must be declined.",
        ),
        ("compliance_final.md", "# Code of conduct\n\nGifts worth more than 50 euros must be declined."),
    ),
    (
        "At what temperature is the vaccine stored?",
        ("leaflet.md", "# Leaflet\n\nThe vaccine is stored in the cold room at 4 degrees."),
        ("training_slides.md", "# Training slides\n\nThe vaccine is stored in the cold room at 8 degrees."),
    ),
    (
        "Until when must leave be taken?",
        ("circular_12.md", "# Circular 12\n\nUnused days of leave lapse on 31 March of the following year."),
        ("circular_19.md", "# Circular 19\n\nUnused days of leave lapse on 30 June of the following year."),
    ),
    (
        "How many people fit into the lift?",
        ("sign.md", "# Sign in the lift\n\nThe goods lift carries at most 8 persons."),
        ("inspection.md", "# Inspection certificate\n\nThe goods lift carries at most 6 persons."),
    ),
    (
        "试用期多长？",
        ("用工规定2019.md", "# 用工规定\n\n2019年5月1日发布。\n\n新员工试用期为6个月，自入职之日起计算。"),
        ("用工规定2023.md", "# 用工规定\n\n2023年5月1日发布。\n\n新员工试用期为3个月，自入职之日起计算。"),
    ),
    (
        "组长可以签多大金额的订单？",
        ("签字权限.md", "# 签字权限规定\n\n组长可签署金额不超过5000元的订单。"),
        ("采购指南.md", "# 采购指南\n\n组长可签署金额不超过8000元的订单。"),
    ),
    (
        "礼品价值上限是多少？",
        ("行为准则（征求意见稿）.md", "# 行为准则（征求意见稿）\n\n价值超过200元的礼品必须谢绝。"),
        ("行为准则.md", "# 行为准则\n\n价值超过300元的礼品必须谢绝。"),
    ),
    (
        "疫苗的保存温度是多少？",
        ("说明书.md", "# 药品说明书\n\n疫苗应当保存在冷库中，温度为4度。"),
        ("培训材料.md", "# 培训材料\n\n疫苗应当保存在冷库中，温度为8度。"),
    ),
    (
        "未休年假何时作废？",
        ("通知12号.md", "# 第12号通知\n\n未休年假于次年3月31日作废。"),
        ("通知19号.md", "# 第19号通知\n\n未休年假于次年6月30日作废。"),
    ),
    (
        "货梯限载多少人？",
        ("标牌.md", "# 电梯标牌\n\n货梯最多载客8人。"),
        ("检验证书.md", "# 检验证书\n\n货梯最多载客6人。"),
    ),
]
