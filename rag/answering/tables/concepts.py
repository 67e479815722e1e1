"""Words for what columns hold, in both languages: a Chinese question may be asked of an English table."""

from __future__ import annotations

from collections.abc import Iterable

from rag.citations.wording import content_words, root
from rag.text.words import words

_SAME = (
    "amount value 金额 数额 总额 款额",
    "price cost rate fee expensive cheap cheapest dear dearest costly 价格 单价 价钱 费用 成本 最贵 便宜",
    "quantity qty units count pieces 数量 件数 台数 销量",
    "date day 日期 时间",
    "customer client buyer 客户 顾客 买方",
    "supplier vendor 供应商 供货商 厂商",
    "region area territory 地区 区域 大区",
    "city town 城市",
    "country 国家",
    "department division unit 部门 科室",
    "name 姓名 名称 名字",
    "employee staff person 员工 职员 人员",
    "salary wage pay 工资 薪资 薪水",
    "product item article goods 产品 商品 货品 物品",
    "status state 状态",
    "hours hour 小时 工时",
    "days day 天数",
    "weight heavy heaviest lightest 重量 最重 最轻",
    "revenue turnover sales income 收入 营收 营业额 销售额",
    "profit earnings 利润",
    "order purchase 订单",
    "invoice bill 发票 账单",
    "contract agreement 合同 协议",
    "project 项目",
    "temperature 温度",
    "score points grade 分数 得分 成绩",
    "age oldest youngest 年龄",
    "category type kind class 类别 类型 种类 分类",
)


def _known() -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in enumerate(_SAME):
        for text in line.split():
            for word in words(text):
                found.setdefault(root(word), f"#{number}")
    return found


_CONCEPT = _known()


def concepts(text: str) -> set[str]:
    """The content words of a text, those of a known concept as that concept."""
    return as_concepts(content_words(text))


def as_concepts(found: Iterable[str]) -> set[str]:
    return {_CONCEPT.get(word, word) for word in found}
