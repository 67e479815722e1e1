"""Thanks, a "no", a "yes" that nothing was offered before: answered politely, searched for never."""

from __future__ import annotations

from rag.answering.courtesy import courtesy
from rag.records import Turn

WARRANTY = Turn(
    "How long is the warranty of the HK-420?",
    "The warranty is 24 months [1]. Would you like to know what the extension costs?",
)
保修 = Turn("HK-420 的保修期多长？", "1. 保修期为 24 个月[1]。\n需要我说明延保的价格吗？")


def test_a_yes_to_an_answer_that_offers_nothing_is_asked_what_is_wanted() -> None:
    plain = Turn("How long is the warranty?", "“Two years from delivery.” [1]")
    for words in ("yes", "ok", "Sure.", "好的", "是的", "嗯"):
        assert courtesy(words, [plain], "en")
    for words in ("go on", "tell me more", "继续", "yes, and in 2022?"):
        assert not courtesy(words, [plain], "en")
    assert courtesy("好的", [plain], "zh").startswith("好的")


def test_thanks_and_no_ask_nothing() -> None:
    for words in ("thanks", "ok, thank you!", "No, thanks.", "谢谢", "好的，谢谢您", "不用了，谢谢"):
        assert courtesy(words, [], "en")
    for words in ("no", "不用了", "算了"):
        assert courtesy(words, [保修], "zh")
        assert not courtesy(words, [], "zh")
    for words in ("yes", "好的", "go on"):
        assert courtesy(words, [], "zh")
        assert not courtesy(words, [保修], "zh")
    for words in ("yes", "好的", "thank you note template", "谢谢信怎么写？", "no smoking rules", "不锈钢"):
        assert not courtesy(words, [WARRANTY], "en")
