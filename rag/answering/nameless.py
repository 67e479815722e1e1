"""Chinese questions that name nothing: all of their words ask, join, or stand for a quality of something.

Chinese leaves out what the last sentence was about ("罚金多少？", "是用来干什么的"): no pronoun shows that
something is missing. What shows it is that nothing is left once such words are taken away. A word belongs
here if "X 的…" or "X …了" wants an X: a quality, a role, a part, or what happens to almost anything. What
people ask for by itself ("年假", "加班费", "董事长") does not.
"""

from __future__ import annotations

import re

_ASKING = """
什么 甚么 啥 怎么 怎样 怎么样 怎么办 怎么算 咋 咋样 咋办 如何 为什么 为何 为啥 干嘛 干什么 多少 多少钱
多久 多长 多大 多高 多重 多远 多快 多宽 多深 多厚 多早 多晚 哪 哪里 哪儿 哪些 哪个 哪家 哪位 哪种 哪年
哪天 哪月 哪样 哪方面 哪几个 谁 谁的 何 何时 何地 何处 何种 几 几时 几个 是否 能否 可否 有没有 有无 是不是
能不能 会不会 要不要 可不可以 行不行 好不好 需不需要 对不对 吗 呢 吧 啊 呀 嘛
"""
_JOINING = """
的 了 着 过 得 地 是 有 没 没有 不 也 都 又 还 再 就 才 只 很 更 最 太 比较 大概 大约 一共 总共 共 合计
分别 各 各自 各是 具体 主要 一般 通常 目前 现在 当前 如今 现今 后来 之后 以后 然后 之前 以前 当时 那时
此后 最后 最终 最早 最晚 最多 最少 至少 最近 另外 其他 别的 其余 还有 又有 和 与 及 或 或者 以及 并 并且
而 但 但是 可 可是 如果 要是 假如 那 那么 在 从 到 往 对 对于 关于 给 为 为了 由 被 把 将 用 以 按 按照
根据 依据 通过 经过 跟 同 比 于 里面 外面 上面 下面 期间 时候 时 个 些 能 可以 会 要 需要 必须 应 应该
应当 想 想要 想知道 知道 告诉 我 我们 你 您 你们 请 请问 麻烦 帮 帮我 帮忙 给我 自己 本人 它 它们 这 这些
这样 一下 一样 一点 出来 起来 下来 下去 上去 国内 国外 其中 全部 所有 每 整个 任何 直接 真的 到底 究竟 曾
曾经 已经 已 正在 刚 尚 仍 仍然 比如 例如 据说 总 总体 整体 相关 有关 基本 实际 最新 初步 详细 年度 全年
上半年 下半年 去年 今年 明年 前年 上年 上月 本月 当年 当月 次年 每年 每月 每天 同期 平均 人均 同比 环比
相比 相对
"""
_HAPPENING = """
做 办 弄 搞 干 用于 使用 用来 用到 来 来的 来自 去 走 出 进 拿 取 领 领取 交 提交 付 支付 缴 缴纳 买 购买
卖 出售 销售 花 花费 花了 收 收取 算 计算 写 填 填写 说 讲 介绍 解释 说明 描述 看 看到 查 查询 查到 找
找到 问 联系 带 携带 准备 住 吃 喝 洗 洗掉 去掉 装 安装 打开 开 关 开始 启动 结束 完成 截止 停止 取消 修改
更改 变更 发生 出现 造成 导致 引起 引发 带来 产生 包括 包含 涉及 组成 构成 属于 位于 坐落 成立 创立 建立
创办 创建 建 建成 建造 发布 公布 出台 生效 实施 执行 施行 适用 申请 办理 报名 参加 参与 加入 退出 负责 管
管理 审批 批准 审核 同意 签 签字 签署 通知 处理 解决 应对 处罚 罚 罚款 判 判处 判刑 判了 逮捕 被抓 上诉
增加 增长 提高 上升 上涨 涨 减少 下降 降 降低 低 高 多 少 大 小 好 坏 快 慢 贵 便宜 变化 变 改变 提升 来源
源自 得名 叫 叫做 称 称为 命名 起 发现 发明 获得 得到 获 赢 赢得 输 举行 举办 召开 持续 维持 达到 超过
低于 高于 占 排 排名 排第 区分 预防 避免 防止 治疗 治 诊断 检查 出院 入院 住院 去世 死 出生 出生于 毕业
上市 投资 投 投了 收购 减 延长 延期 续 续签 退 退款 退货 换 更换 维修 修 损坏 丢失 过期 逾期 超期 超时
违反 违规 违约 亏 亏损 赚 盈利 谈判 成为 提前 推迟 得益于 取决于 正常 异常 可行 允许 禁止 分布 生长 繁殖
栖息 存在 要带 注意 推荐 选择 代表 象征 意味着 指 指的是 表示 表现 影响 作用 成功 失败 暴露 承认 否认 回应
表态 评价 认为 担任 任职 任命 主演 执导 主办 承办 协办 赞助 生产 制造 研发 设计 开发 采用 支持 提供 值得
靠谱 安全 重要 严重 有效 有用 有害 合法 危险 收费 免费 属实 真实 准确 正确
"""
_QUALITIES = """
名字 名称 全名 全称 简称 别名 又名 学名 英文名 中文名 姓名 性别 年龄 年纪 岁数 民族 国籍 籍贯 职业 职务
职位 身份 学历 专业 住址 住处 地址 电话 联系方式 联系电话 邮箱 网址 官网 生日 出生日期 出生地 身高 体重
体温 血压 血型 心率 脉搏 呼吸 病 病情 病因 病史 主诉 症状 体征 诊断依据 诊断结果 疗效 药 药物 副作用
不良反应 过敏 过敏史 并发症 家族史 既往史 后遗症 疗程 剂量 医生 主治医生 医师 患者 家属 时间 日期 期限
时限 时长 地点 位置 地方 场所 方位 面积 长度 高度 宽度 深度 厚度 重量 直径 距离 海拔 温度 速度 大小 尺寸
规模 容量 数量 数目 总数 人数 次数 频率 比例 占比 百分比 比率 率 概率 金额 总额 总价 单价 价 价格 价钱
费用 成本 造价 收入 营业收入 营收 利润 净利润 毛利 资产 总资产 负债 总负债 股价 市值 股利 分红 股权 股东
现金流 预算 资金 罚金 赔偿 补偿 定金 押金 利率 利息 税率 汇率 收益 回报 损失 人口 产量 销量 票房 房价 能耗
排放量 气候 天气 地形 首都 总部 分部 注册地 产地 原产地 货币 语言 宗教 民俗 特产 原因 理由 起因 动机 目的
目标 意义 意思 含义 定义 概念 本质 原理 机制 结构 成分 组成部分 特点 特征 特色 特性 性质 属性 优点 缺点
优势 劣势 好处 坏处 害处 利弊 危害 风险 隐患 问题 难点 后果 结果 效果 成果 成绩 成就 结局 结论 结尾 影响力
反应 反响 用途 用处 功能 功效 价值 作用力 关系 区别 差别 差异 不同 相同点 不同点 共同点 背景 历史 由来
来历 起源 过程 情况 状况 现状 进展 细节 内容 主题 要点 重点 亮点 题目 标题 口号 方法 方式 办法 措施 手段
渠道 途径 步骤 流程 程序 手续 阶段 计划 方案 安排 日程 条件 要求 资格 门槛 标准 规定 规则 限制 例外 前提
材料 证件 资料 证据 证明 文件 表格 范围 对象 类型 类别 种类 分类 级别 等级 类 品牌 牌子 型号 规格 款式
颜色 形状 外观 材质 味道 口感 口味 质量 性能 参数 寿命 有效期 保质期 保修期 版本 数据 指标 依据是 项目
活动 事 事情 事件 事故 待遇 福利 收费标准 奖励 奖金 处罚结果 判决 判决结果 刑期 罪名 罪 刑 被告 被告人
原告 辩护人 律师 审判长 审判员 书记员 法官 公诉机关 证人 受害人 被害人 嫌疑人 负责人 联系人 主管部门
负责部门 部门 单位 机构 作者 导演 编剧 演员 制片人 创始人 发明者 发明人 主办方 主办单位 赞助方 赞助商 嘉宾
参会者 参与者 成员 领导 前任 继任者 后任 父母 子女 丈夫 妻子 叶子 种子 果实 根 皮 茎 东西 人 人员 人士
前景 展望 未来 策略 战略 举措 决定 决议 建议 意见 看法 观点 态度 争议 批评
"""
_MEASURES = """
个 位 名 家 种 项 条 款 次 回 起 件 份 台 张 套 页 章 节 段 行 列 步 点 岁 元 块 块钱 万 亿 万元 亿元 人
年 年级 月 月份 日 天 号 周 星期 小时 分钟 秒 公里 千米 米 厘米 平方米 平方公里 公斤 千克 克 吨 升 度 倍
成 处 层 座 栋 根 枚 只 匹 头 辆 艘 架 支 部 本 场 届 期 批 组 类 方面 阶段 季度 级 等 分 席 票 对 集 遍
代
"""
_WORDS = frozenset((*_ASKING.split(), *_JOINING.split(), *_HAPPENING.split(), *_QUALITIES.split()))
_LONGEST_WORD = max(map(len, _WORDS))
_COUNTED = re.compile(
    r"(?:第?[一二三四五六七八九十百千万两几\d.]+|[这那哪每某第]|多少)"
    rf"(?:{'|'.join(sorted(_MEASURES.split(), key=len, reverse=True))})"
)
_HAN = re.compile(r"[\u4e00-\u9fff]")
_BETWEEN = re.compile(r"[\s,，、。.?？!！；;：:]+")
_LONGEST = 30
"""Characters: so long a question says enough to be looked for, whatever its words are."""


def nameless(question: str) -> bool:
    """Whether a question, in simplified characters, has no word of its own. Always False for other scripts.

    >>> nameless("罚金是多少？"), nameless("年假有多少天？")
    (True, False)
    """
    if len(question) > _LONGEST or not _HAN.search(question):
        return False
    reached = {0}
    for start in range(len(question)):
        if start in reached:
            reached.update(_ends(question, start))
    return len(question) in reached


def _ends(question: str, start: int) -> set[int]:
    """Where the words that may begin at `start` end."""
    patterns = (pattern.match(question, start) for pattern in (_COUNTED, _BETWEEN))
    return {match.end() for match in patterns if match} | {
        end
        for end in range(start + 1, min(start + _LONGEST_WORD, len(question)) + 1)
        if question[start:end] in _WORDS
    }
