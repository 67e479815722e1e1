"""Question → checkable answer. Importing this package loads nothing heavy."""

from rag.privacy import say_nothing_to_others

__version__ = "0.1.0"

say_nothing_to_others()
