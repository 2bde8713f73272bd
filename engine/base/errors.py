"""`EngineError`: what the user can mend. Any other exception that escapes is a bug."""


class EngineError(ValueError):
    """A sentence for the user: what is wrong and, where possible, the way out.

    Raised for data, parameters or files that do not fit; never for a fault of the program.
    """
