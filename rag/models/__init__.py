"""Which generating models there are, what their files say, and what memory they need. Loads nothing heavy."""
