"""Records in, HTML out. Pure functions; text of documents, names and models is escaped by construction."""
