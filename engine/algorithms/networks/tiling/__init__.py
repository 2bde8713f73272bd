"""A network that grows: units that tile the plane until no tile holds both classes, layer upon
layer. AIMA 18.7.5.
"""

from typing import Annotated, Literal

from engine.algorithms.networks.parts import Arrays
from engine.algorithms.networks.parts.figures import unit_tag
from engine.algorithms.networks.tiling.tiles import Tile, Tiles
from engine.authoring import (
    Algorithm,
    At,
    Bool,
    Curve,
    Float,
    Help,
    Int,
    Label,
    Needs,
    Part,
    Problem,
    Range,
    Record,
    Rng,
    Steps,
    Task,
    frozen,
    np,
    prepare,
    replace,
    when,
)
from engine.base.sums import add_up
from engine.sources.textbook import textbook

PSEUDOCODE = """
init   round:  one unit, w ← 0
learn  detail: pocket: w ← w + (y − h)·x, keep best
first:         repeat: the first unit learns all
until  round:    if none is wrong: the end
tile:            while a tile has both classes:
part:              one more unit parts them
layer  round:    the units are the next inputs
"""
LOOK = 50  # visits between two looks at stop
STOP = (
    "all right: but for equal examples of both classes; more wrong held out: a layer that makes it"
    " worse is taken back"
)


class Params(Record, eq=True):
    stop: Annotated[Literal["all right", "more wrong held out"], Label("Stop"), Help(STOP)] = (
        "all right"
    )
    rounds: Annotated[int, Range(1, 10_000, log=True), Label("Rounds of a unit")] = 30
    units: Annotated[int, Range(1, 500, log=True), Label("Units at most")] = 40


class State(Record):
    """The model is `weights`; `group` and `right` are of the unit that learns.

    weights: one (n + 1, m) array per layer, a column for each unit, the bias last; the first unit
        of the last layer is the output
    removed: (n,) examples in tiles of one class alone, which this layer leaves alone
    group: rows that the last unit learns
    right: how many of these it gets right
    errors: wrong examples of the output
    kept: the state with the layers before the last one, without its own; None in the first layer
    """

    weights: Arrays
    removed: Bool
    group: Int
    right: int = 0
    errors: int = 0
    kept: "State | None" = None

    @property
    def units(self) -> int:
        """The number of units in all layers."""
        return int(add_up(w.shape[1] for w in self.weights))


class Setting(Tiles[Params]):
    """The labelled examples, their tiles, and the rules by which units and layers are added."""

    def mixed(self, s: State) -> list[Tile]:
        """The tiles with both classes, those with most examples of the rarer class first.

        A tile: the examples for which all units of this layer answer alike. One in which the layer
        sees all examples alike is left out: no unit parts them.
        """
        seen = self.inputs_of_last_layer(s)
        mixed = []
        for tile in self.tiles(s):
            alike = not np.ptp(seen[tile.rows], axis=0).any()
            if min(tile.counts) > 0 and not alike:
                mixed.append(tile)
        return sorted(mixed, key=lambda tile: -min(tile.counts))


def steps(given: Setting, at: At, rng: Rng) -> Steps[State]:
    w = frozen(np.zeros((given.problem.d + 1, 1)))
    none = frozen(np.zeros(given.problem.n, bool))
    s = given.counted(State((w,), none, given.rows))
    yield from at("init", s)
    yield from resume(given, s, at, rng)


def resume(given: Setting, s: State, at: At, rng: Rng) -> Steps[State]:
    """The steps from a partly built layer on; after the last unit, of as many units again."""
    given.fitting(s)
    if s.kept is not None:  # the examples may be others now
        s = replace(s, kept=given.counted(replace(s.kept, group=given.rows)))
    most = given.p.units if s.units < given.p.units else s.units + given.p.units
    # with the number of a unit: the orders that it learns in, whatever came before it
    salt = int(rng.integers(2**62))
    while True:
        if s.weights[-1].shape[1] == 1:
            s = replace(s, group=given.rows)
            s = yield from learn(given, at, s, salt)
            yield from at("first", s)
            kept = s.kept
            # wrong examples, or wrong held-out ones where these decide
            was = np.inf if kept is None else given.performance(kept)
            now = given.performance(s)
            worse = now > was
            # none is wrong but the fewest that any network errs on: equal examples of both classes
            clean = s.errors <= given.fewest and not worse
            ends = when(clean=clean, worse=worse, full=s.units >= most)
            if worse and kept is not None:
                s = kept
            yield from at("until", s, "round", *ends, was=was, now=now, ends=ends)
            if ends:
                return
            s = replace(s, kept=replace(s, kept=None))
        mixed = given.mixed(s)
        while mixed and s.units < most:
            tied = [tile for tile in mixed if min(tile.counts) == min(mixed[0].counts)]
            tile = at.take(tied)
            s = replace(s, group=frozen(tile.rows))
            yield from at("tile", s)
            # its w points from the middle of the tile to the example that is farthest from it, and
            # its threshold lies half-way to the next: it cuts this one off. It is −w where that is
            # right more often
            s = given.with_unit(s, tile)
            s = yield from learn(given, at, s, salt)
            yield from at("part", s)
            mixed = given.mixed(s)
        # one unit that sees these: it answers as the first of them, but in the tile where that is
        # wrong most often as most examples of the tile ask. Of answers ±1 the first unit has w = 1;
        # each of the other u − 1, and the bias, ±1/(u − 1), so that together they outvote it there
        s = given.with_layer(s)
        yield from at("layer", s)


def learn(given: Setting, at: At, s: State, salt: int) -> Part[State, State]:
    """The state in which the last unit has learnt its group, by the pocket algorithm.

    The perceptron's rule changes w from mistake to mistake; the pocket keeps the weights that have
    got most of the group right. Those of any unit but the first must part the group: a unit that
    answers all of it alike adds nothing.
    """
    X, y, reach = given.lesson(s)
    alone = s.weights[-1].shape[1] == 1
    rng = np.random.default_rng([salt, s.units])
    w = np.zeros(X.shape[1])
    pocket = s.weights[-1][:, -1]
    right = int(np.count_nonzero(given.fires(X, pocket, reach) == y))
    visits = 0
    for _ in range(given.p.rounds):
        if right == len(y):
            break
        ahead = rng.permutation(len(y))
        while len(ahead) and right < len(y):
            h = given.fires(X, w, reach)  # [w · x ≥ 0]
            divides = alone or 0 < np.count_nonzero(h) < len(y)
            count = int(np.count_nonzero(h == y))
            if count > right and divides:
                pocket = w
                right = count
                if at.records("learn"):
                    yield from at("learn", given.taken(s, pocket, right))
            mistakes = np.flatnonzero(h[ahead] != y[ahead])
            if not len(mistakes):
                break
            i = ahead[mistakes[0]]
            w = w + (float(y[i]) - float(h[i])) * X[i]  # w + (y − h)·x
            ahead = ahead[mistakes[0] + 1 :]
            visits += 1
            if visits % LOOK == 0:
                yield None
    yield None
    # the threshold goes to the middle between the nearest examples on both sides
    w = given.halfway(X, pocket, reach)
    found: State = given.taken(s, w, right)
    return found


def predict(given: Setting, s: State, X: Float) -> Int:
    """(m,) the first class where the output unit fires, h = [w · x ≥ 0]."""
    inputs = given.inputs(s, X)[:, 0]  # w · x of the output unit
    return np.where(inputs >= 0, 0, 1)


def held_out_judges(p: Params) -> bool:
    """Whether a run with these parameters looks at the held-out rows."""
    return p.stop == "more wrong held out"


def example() -> Problem:
    return prepare(textbook("xor"))


ALGORITHM = Algorithm.of(
    __name__,
    title="Tiling",
    task=Task.CLASSIFY,
    source=("AIMA 18.7.5",),
    needs=Needs(min_classes=2, max_classes=2, numeric=True),
    events=("round", "clean", "worse", "full"),
    curves=(
        Curve("errors", "wrong points", of_n=True, digits=0),
        Curve("units", "units", digits=0, about=(unit_tag(1, 0),)),
    ),
    scores=Setting.scores,
    tweak=Setting.tweak,
    uses_held_out=held_out_judges,
)
