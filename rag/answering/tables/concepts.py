"""Words for what columns hold, in both languages: a Chinese question may be asked of an English table."""

from __future__ import annotations

from collections.abc import Iterable

from rag.citations.wording import content_words, root
from rag.text.words import words

_SAME = (
    "amount value worth spend spent expense expenditure 金额 数额 总额 款额 支出 花费 开支 花了 花掉"
    " 价值 货值",
    "price cost rate fee expensive cheap cheapest dear dearest costly priciest pricey costliest charge tariff"
    " 价格 单价 价钱 费用 成本 最贵 贵的 便宜 收费 售价 报价",
    "quantity qty count pieces pcs 数量 件数 台数 销量",
    "stock inventory hand 库存 存货 在库 结存 存量 盘点",
    "date day 日期 时间",
    "customer client buyer 客户 顾客 买方",
    "supplier vendor 供应商 供货商 厂商",
    "region area territory 地区 区域 大区",
    "city town 城市",
    "country 国家",
    "department division 部门 科室",
    "name 姓名 名称 名字",
    "employee staff person people headcount worker workforce personnel 员工 职员 人员 人数 职工 在编"
    " 少人 人最",
    "salary wage pay 工资 薪资 薪水 薪酬 月薪",
    "product item article goods part component spare 产品 商品 货品 物品 品名 零件 部件 备件 配件 物料",
    "site location branch office plant factory premises 厂 工厂 厂区 各厂 个厂 厂最 哪厂 厂里 地点 网点",
    "store shop outlet 店 门店 店铺 分店",
    "warehouse depot storehouse 仓 仓库 库房",
    "seat place slot capacity 名额 席位 座位",
    "course training class seminar workshop 课程 培训",
    "manager head boss leader chief runs lead 负责人 主管 经理 厂长 店长 站长",
    "status state 状态",
    "minutes minute min hours hour duration downtime uptime runtime standstill 分钟 小时 时长 工时 停机",
    "days day 天数",
    "weight heavy heaviest lightest 重量 最重 最轻",
    "length long longest shortest 长度 最长 最短",
    "revenue turnover sales sale sold sell income 收入 营收 营业额 销售额 卖得 卖出 卖了",
    "output production produce produced made manufactured 产量 产出 生产",
    "incident failure fault breakdown outage stoppage disruption malfunction 故障 事故 宕机",
    "profit earnings 利润",
    "order purchase 订单",
    "invoice bill 发票 账单",
    "contract agreement 合同 协议",
    "project 项目",
    "temperature 温度",
    "score points grade mark 分数 得分 成绩",
    "age oldest youngest 年龄",
    "category type kind 类别 类型 种类 分类",
    "machine equipment device 设备 机器 机台",
    "vehicle car truck van 车 车辆 汽车",
    "distance mileage 里程 距离",
    "complaint claim 投诉 索赔",
    "visitor guest 访客 来宾",
    "budget 预算",
    "discount rebate 折扣 优惠",
)


def _known() -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in enumerate(_SAME):
        for text in line.split():
            for word in words(text):
                found.setdefault(root(word), f"#{number}")
                if word.isascii():
                    # "employees" has another root than "employee".
                    found.setdefault(root(f"{word}s"), f"#{number}")
    return found


_CONCEPT = _known()


def concepts(text: str) -> set[str]:
    """The content words of a text, those of a known concept as that concept."""
    return as_concepts(content_words(text))


def as_concepts(found: Iterable[str]) -> set[str]:
    return {_CONCEPT.get(word, word) for word in found}


def concept_of(word: str) -> str | None:
    """The known concept of a word as `rag.citations.wording.content_words` gives it, None if it has none."""
    return _CONCEPT.get(word)


def is_known(found: Iterable[str]) -> bool:
    """Whether one of what `concepts` gave is a known concept, not a word of its own."""
    return any(word.startswith("#") for word in found)
