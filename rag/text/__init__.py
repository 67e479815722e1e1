"""What text is, independent of documents and models: one folding, words, sentences, language, quotes."""
