"""Questions that are answered by calculating over a whole table, never by a model's head.

cells       what stands in a cell: numbers, units, dates
whole       the tables of a document, whole even where they go over several pages
thresholds  "over 500", 不超过 30
between     "after 2010", 2015年以前
negating    "not approved", 没有完成: the other rows
conditions  which rows are meant
columns     which columns may be meant: by their titles, by a superlative, by what adds up
concepts    words for what columns hold, in both languages
questioned  the numbers that a question names, and the quantities that it asks for
grouping    "by machine", 各门店, "how much did … spend", "what is it worth"
worth       which columns give the value of a quantity
naming      words that only name the table: "in the price list"
nouns       the things of which a figure is asked, and whether the table has them
identifiers columns of numbers that nobody adds up
operations  which calculation a question's words ask for
ways        a way to read a question as a calculation
asking      which calculations over the columns may be asked for
understood  whether a table knows every word of a question
reading     question + table → which calculation is asked for, if any
calculating the calculation, exact
telling     the result in words, with the places it rests on
calculated  all of it together: a question's passages → an answer, or None
lines       how many lines of a log hold something
overview    a whole table summed up
logs        a question's passages → such a count, or None
"""

from rag.answering.tables.calculated import Calculated, calculated
from rag.answering.tables.logs import log_counted
from rag.answering.tables.operations import asks_for_calculation

__all__ = ["Calculated", "asks_for_calculation", "calculated", "log_counted"]
