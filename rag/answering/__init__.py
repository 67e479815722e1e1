"""The pipeline from a question to a checked answer.

events          what happens on the way
followup        what to search for when a question leans on the conversation
retrieving      passages, and evidence within the budget
by_model        a trusted model's own words, streamed and then checked claim by claim
by_quotation    the documents' words, for models too weak to be trusted (extractive/ finds them)
silence         what is said when the documents do not hold the answer
"""

from rag.answering.answerer import MODES, Answerer, Mode

__all__ = ["MODES", "Answerer", "Mode"]
