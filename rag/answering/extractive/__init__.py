"""Answers that consist of the documents' own sentences.

units         evidence cut into sentences, list items, rows, headings
layout        what a document tells beside its words: rows with their columns, headings, heads of pages
orders        what speaks to a machine that reads it (prompt injection): never quoted as an answer
misspelt      what wrongly written words of the question mean
naming        what units say by another name than the question's
numbered      what speaks of another numbered thing than the question
earlier       what earlier answers of the conversation have quoted
wanted        whether a number or a reason is asked for, and given
measures      what is counted ("how many days"), and numbers of that
limits        which limits hold the amount that is asked about
both_sides    what is quoted of two documents that are compared
no_such_row   a row that is asked for and that a table does not have
shares        how much of a question's words each unit holds, and what stands around it
telling       how far the words of a unit tell anything by themselves
meaning       how near units come to it, in its language and in another
scoring       which of them answer the question
own_language  the question's own language first
to_the_point  beside a good quotation no noise
steps         steps that belong together
completing    what must be quoted with them
titles        titles that must stand before a quotation
around        the units around one
showing       how they are shown, with their marks and citations
extract       all of it together
by_parts      for each part of a question
"""

from rag.answering.extractive.by_parts import Quotations, Sought
from rag.answering.extractive.extract import extract, extract_best
from rag.answering.extractive.no_such_row import no_such_row_text
from rag.answering.extractive.shares import Rarity
from rag.answering.extractive.showing import Extract

__all__ = ["Extract", "Quotations", "Rarity", "Sought", "extract", "extract_best", "no_such_row_text"]
