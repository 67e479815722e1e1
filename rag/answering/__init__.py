"""The pipeline from a question to a checked answer.

answerer              all of it together: which way a question goes, by its mode and its kind
asked                 one question on its way: what it needs, what has been shown of its answer so far
events                what happens on the way

What is asked
leaning, nameless     whether a question needs the conversation before it to be understood
continuing            the same, told by the documents
followup              a follow-up made whole with words of the conversation before it (query rewriting)
offers                what an answer offers to do next
courtesy              thanks and the like: nothing is searched for
parts, distributing, comparing
                      what a question consists of (query decomposition), by its own grammar
planning              the same, and other words for it, asked of the model
named_pages           pages that a question names
days                  days of the calendar in any way of writing
periods               quarters, months, fiscal years in any way of writing

What is read
retrieving            passages, and evidence within the budget
compared              passages of two documents that a question compares
rarity                how much words tell, by how few chunks hold them
pages                 on which page of its document a place is

What is written
generation            one generation of the engine: its text as it comes, and what it took
drafting              a model's own words, streamed and then checked claim by claim
by_model              one pass in a model's words (mode quick)
complete              every part answered, checked and searched for once more (mode complete)
by_quotation, complete_quotations, further
                      the same in the documents' words, for models too weak to be trusted with their own
own_words             what such a model may add, if it is proved
extractive/           which words of the documents are quoted
every/                each document asked on its own (mode every)
chapters/             a whole document summed up chapter by chapter
tables/, calculations counts, sums and lists over whole tables
summing_up            a whole table summed up
unwrap                answers that come wrapped in JSON

What is told beside it
contradictions        documents that contradict each other, each with its date
subjects              whether two sentences speak of one thing or of two
unmentioned           names and numbers of the question that no evidence mentions
partial               that only a part of many documents, or of a long one, was looked at
coverage              how complete an answer is, in one line
silence               what is said when the documents do not hold the answer
"""

from rag.answering.answerer import MAX_QUESTION, MODES, Answerer, Mode

__all__ = ["MAX_QUESTION", "MODES", "Answerer", "Mode"]
