"""Questions about anything: how near does this library come to what it surely does not speak of?

An embedder's cosines mean nothing by themselves: they crowd together, and the best of many passages looks
near to every question. So a question is compared with these. Should a library answer one or two of them,
the median does not care.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rag.text.language import Language

STRANGERS: Final[Mapping[Language, tuple[str, ...]]] = {
    "en": (
        "Who composed the music for the ballet about the sleeping princess?",
        "How long should a leg of lamb stay in the oven?",
        "What caused the fall of the western half of the old empire?",
        "When does the last train to the coast leave on Sundays?",
        "Which vitamins are found in spinach, and why does the body need them?",
        "How do I reset the password of my router?",
        "What is the difference between a violin and a viola?",
        "Who scored the winning goal in the final?",
        "Is it safe to take aspirin together with red wine?",
        "How far is the moon from the earth?",
        "What are the requirements for a driving licence at the age of seventeen?",
        "Explain how a refrigerator moves heat from the inside to the outside.",
        "Which birds spend the winter in the south?",
        "What does the novel say about the marriage of the youngest daughter?",
        "How many calories does an hour of swimming burn?",
        "Which taxes must a small bakery pay in its first year?",
        "Why did the bridge collapse during the storm?",
        "What is the capital of the smallest country in the region, and how many people live there?",
        "How can I remove a coffee stain from a white shirt?",
        "Which materials were used for the roof of the cathedral?",
        "What happened to the crew after the ship had struck the ice?",
        "How is the interest on a mortgage calculated?",
        "Who was the first woman to win the prize, and what was it for?",
        "What should be done when a child has swallowed a button?",
    ),
    "zh": (
        "《红楼梦》里宝玉的丫鬟叫什么名字？",
        "红烧肉要炖多长时间才软烂？",
        "西罗马帝国为什么会灭亡？",
        "周日最后一班去海边的火车几点开？",
        "菠菜含有哪些维生素，对身体有什么好处？",
        "路由器的密码忘了怎么重置？",
        "小提琴和中提琴有什么区别？",
        "决赛中谁踢进了制胜的一球？",
        "喝了酒还能吃头孢吗？",
        "月球离地球有多远？",
        "十七岁可以考驾照吗，需要什么条件？",
        "请说明冰箱是怎样制冷的。",
        "哪些鸟会飞到南方过冬？",
        "小说中最小的女儿最后嫁给了谁？",
        "游泳一小时能消耗多少热量？",
        "新开的小面包店第一年要交哪些税？",
        "那座桥为什么会在暴风雨中倒塌？",
        "这个地区最小的国家首都在哪里，有多少人口？",
        "白衬衫上的咖啡渍怎么洗掉？",
        "大教堂的屋顶用了什么材料？",
        "轮船撞上冰山以后船员怎么样了？",
        "房贷的利息是怎么计算的？",
        "第一位获得该奖的女性是谁，因为什么获奖？",
        "小孩误吞了纽扣应该怎么办？",
    ),
}
