"""What text is, independent of documents and models.

folding     one folding for all matching, every place of which maps back
words       text → words, the same for documents and questions (Chinese in pairs of characters)
stemming, inflections
            the forms of an English word
asking      words that ask, join and point: they say nothing about any text (stop words)
holding     which of a question's words a text holds
sentences   text → sentences, as spans
language    Chinese or English
scripts     scripts without spaces between words
normal      is this quotation really in that document, and where
simplified  traditional characters of words that ask, join and point, in their simplified form
radicals    CJK radicals that look like characters
context     what is embedded for a chunk: its text behind title and headings
"""
