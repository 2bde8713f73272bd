"""How many steps the timeline has room for: while an edit makes the run anew, as many as before."""


class Scale:
    """The step at the right end. A run that follows a dragged point begins again with every movement: it keeps the room
    of the run before it until it needs more or has ended, so that neither cursor nor curves jump."""

    def __init__(self) -> None:
        self.last = 1
        self._about: object = None

    def follow(self, about: object, recorded: int, over: bool) -> None:
        """The shown run has `recorded` steps by now. about: what method on what table; another one begins anew."""
        if over or recorded > self.last or about != self._about:
            self.last, self._about = max(1, recorded), about
