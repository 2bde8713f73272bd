"""How much room a figure wants on the stage."""

from engine.base.records import Record

MUCH = 1 << 14  # pixels: as much as there is


class Wish(Record, eq=True):
    """The sizes of a figure in pixels, as (width, height).

    enough: shows all of it; a picture that any room makes clearer wants (MUCH, MUCH)
    least: it can still be read, after it has left out or scrolls what it can do without
    floor: as the lead of two views it gets the usual share of the stage, even if it needs less
    needs: with less it tells nothing, so that no other view may stand beside it
    """

    enough: tuple[int, int] = (MUCH, MUCH)
    least: tuple[int, int] = (280, 200)
    needs: tuple[int, int] = (0, 0)
    floor: bool = True


ANY = Wish()


def wish_of(widget: object) -> Wish:
    """The wish of the widget of a figure: what its method `wish` returns, else any room."""
    wish = getattr(widget, "wish", None)
    return wish() if callable(wish) else ANY


def larger(one: Wish, other: Wish) -> Wish:
    """The wish that both fit into."""
    (a, b), (c, d) = one.enough, other.enough
    (e, f), (g, h) = one.least, other.least
    (i, j), (k, m) = one.needs, other.needs
    needs = max(i, k), max(j, m)
    return Wish((max(a, c), max(b, d)), (max(e, g), max(f, h)), needs, other.floor)
