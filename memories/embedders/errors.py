"""Why a model does not answer. The sentences hold no text, no key and no machine path."""


class EmbedderError(Exception):
    """The model gave no vectors; search goes on by words alone."""


class EmbedderMissingError(EmbedderError):
    """A package or a model file is not here."""


class EmbedderDamagedError(EmbedderError):
    """A model file is not the one that was pinned, or cannot be run."""


class EmbedderUnavailableError(EmbedderError):
    """A server does not answer now; the same call may work later."""


class EmbedderRefusedError(EmbedderError):
    """A server refuses the request, and will again until a setting is changed."""


class BadVectorError(EmbedderError):
    """What came back has the wrong size, or is no direction at all."""


class WrongChoiceError(EmbedderError):
    """A setting cannot work, whatever happens."""
