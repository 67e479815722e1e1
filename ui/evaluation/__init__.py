"""The page's tab "Evaluation": one's own questions asked with one strategy or several, and compared.

runs      the folders of data sets and runs, and which of them an asker may see
job       the run under way: one at a time, with the page's own library, embedder and engine
routes    what the browser asks for
panel     the tab as HTML
frame     what of it stands still
"""
