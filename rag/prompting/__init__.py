"""Question + evidence → the messages for the model.

phrases    instructions in both languages, data files
bank       worked examples, data files; a user may add a folder of them
kinds      what kind of answer a question asks for
fence      evidence as quotation
order      in which order it stands: the strongest at both ends
messages   everything in the order that the prefix cache wants
budget     how much of the context goes to what
"""

from rag.prompting.bank import Example, bank, chosen
from rag.prompting.budget import Plan, plan
from rag.prompting.fence import fenced
from rag.prompting.kinds import kind_of
from rag.prompting.messages import build, build_short, build_task, front
from rag.prompting.phrases import Phrases, phrases_in

__all__ = [
    "Example",
    "Phrases",
    "Plan",
    "bank",
    "build",
    "build_short",
    "build_task",
    "chosen",
    "fenced",
    "front",
    "kind_of",
    "phrases_in",
    "plan",
]
