"""The pipeline from a question to a checked answer.

events                what happens on the way
followup              what to search for when a question leans on the conversation
parts, planning       what a question consists of, other words for it
retrieving            passages, and evidence within the budget
drafting              a model's own words, streamed and then checked claim by claim
by_model              one pass in a model's words (mode quick)
complete              every part answered, checked and searched for once more (mode complete)
by_quotation, complete_quotations
                      the same in the documents' words, for models too weak to be trusted with their own
extractive/           which words those are
every/                each document asked on its own (mode every)
chapters/             a whole document summed up chapter by chapter
tables/, calculations counts, sums and lists over whole tables
differing             documents that contradict each other, each with its date
coverage              how complete an answer is, in one line
silence               what is said when the documents do not hold the answer
"""

from rag.answering.answerer import MAX_QUESTION, MODES, Answerer, Mode

__all__ = ["MAX_QUESTION", "MODES", "Answerer", "Mode"]
