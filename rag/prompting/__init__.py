"""Question + evidence → the messages for the model.

phrases    instructions and worked examples, data files in both languages
fence      evidence as quotation
messages   everything in the order that the prefix cache wants
budget     how much of the context goes to what
"""

from rag.prompting.budget import Plan, plan
from rag.prompting.fence import fenced
from rag.prompting.messages import build, build_short
from rag.prompting.phrases import Phrases, phrases_in

__all__ = ["Phrases", "Plan", "build", "build_short", "fenced", "phrases_in", "plan"]
