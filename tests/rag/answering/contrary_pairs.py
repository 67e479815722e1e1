"""Pairs of documents whose sentences contradict each other in a number."""

from __future__ import annotations

from tests.rag.answering.pairs_of_two_things import Pair

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
