"""A language model that may be asked about pairs of which the rules are not sure."""
