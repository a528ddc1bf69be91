"""What the embedded services say when they can't do what they were asked."""


class EmbeddedError(Exception):
    """Something a person has to mend; the text says what happened and what to do next."""
