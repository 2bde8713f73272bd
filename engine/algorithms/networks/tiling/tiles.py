"""Which examples the units of a layer cannot tell apart, and where a new unit begins.

AIMA 18.7.5; the equations are the lab's.
"""

from typing import Any, NamedTuple, TypeVar

from engine.algorithms.networks.parts import Units, with_weight
from engine.algorithms.networks.parts.network_setting import NetworkSetting
from engine.authoring import Bool, EngineError, Float, Int, cached_property, frozen, np, replace
from engine.numerics.activations import ACTIVATIONS
from engine.numerics.linear import with_column
from engine.numerics.mistakes import reach_of, settled_scores

P = TypeVar("P")
READABLE = 12  # answers in the name of a tile


class Tile(NamedTuple):
    """The examples to which all units of a layer give the same answers.

    name: its code, or its number where that is too long
    code: what the units answer there, '01'
    rows: of the problem
    counts: of the two classes among them
    """

    name: str
    code: str
    rows: Int
    counts: tuple[int, int]


class Tiles(NetworkSetting[P]):
    """Layers of threshold units, the tiles into which they divide the examples, and new units."""

    @cached_property
    def units(self) -> Units:
        """Threshold activations for hidden units and outputs."""
        return Units(ACTIVATIONS["threshold"], ACTIVATIONS["threshold"], self.targets)

    @cached_property
    def fewest(self) -> int:
        """The least possible number of errors, from examples at the same place with different
        classes.
        """
        _, place = np.unique(self.X, axis=0, return_inverse=True)
        code = self.problem.codes[self.rows]
        counts = np.bincount(2 * place.ravel() + code, minlength=2 * len(self.X))
        return int(counts.reshape(-1, 2).min(1).sum())

    def fitting(self, s: Any) -> None:
        """Raises EngineError when the units to go on from see other columns."""
        if len(s.weights[0]) != self.problem.d + 1:
            raise EngineError(
                "These units are of a table with other columns and cannot go on with this one:"
                " start anew."
            )

    def performance(self, s: Any) -> int:
        """The number of errors, on held-out rows where the parameter `stop` asks for these."""
        if self.p.stop == "more wrong held out":
            return self.wrong_held_out(s)
        return int(s.errors)

    # -- tiles -------------------------------------------------------------------------------------

    def tile_of(self, fired: Bool) -> Int:
        """(m,) the number of the tile of each row of answers (m, units), in the order of these
        answers.
        """
        bits = np.packbits(fired, axis=1)
        codes = bits.view(f"S{bits.shape[1]}").ravel()
        # of rows side by side with equal answers only the first is sorted
        first = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
        _, number = np.unique(codes[first], return_inverse=True)
        return np.asarray(number.repeat(np.diff(first, append=len(codes))))

    def tiles(self, s: Any) -> list[Tile]:
        """The tiles: examples with the same outputs of the last layer, in the order of these
        outputs.
        """
        fired = self.forward(s.weights, self.X)[-1] > 0
        number = self.tile_of(fired)
        ends = np.bincount(number).cumsum()
        found = list[Tile]()
        for here in np.split(np.argsort(number, kind="stable"), ends[:-1]):
            rows = self.rows[here]
            code = "".join("1" if fires else "0" for fires in fired[here[0]].tolist())
            name = code if len(code) <= READABLE else str(len(found) + 1)
            positive = int(np.count_nonzero(self.problem.codes[rows] == 0))
            found.append(Tile(name, code, rows, (positive, len(rows) - positive)))
        return found

    def inputs_of_last_layer(self, s: Any) -> Float:
        """(n, m) the inputs of the last layer for each example."""
        return self.forward(s.weights, self.problem.X)[-2]

    def counted(self, s: Any) -> Any:
        """The state with its number of errors, and the examples that this layer's further units
        ignore.
        """
        wrong = int(np.count_nonzero(self.predict(s, self.X) != self.problem.codes[self.rows]))
        removed = np.zeros(self.problem.n, bool)
        for tile in self.tiles(s):
            removed[tile.rows] = min(tile.counts) == 0
        return replace(s, errors=wrong, removed=frozen(removed))

    # -- units -------------------------------------------------------------------------------------

    def lesson(self, s: Any) -> tuple[Float, Bool, Float]:
        """(what the last unit sees of the rows of its group, with the 1 of the bias; where it
        should fire; what a mistake adds to each weight at most, see `settled_scores`).
        """
        X = with_column(self.forward(s.weights, self.problem.X[s.group])[-2], 1.0)
        return X, self.problem.codes[s.group] == 0, reach_of(X, 1.0)

    def fires(self, X: Float, w: Float, reach: Float) -> Bool:
        """(n,) whether w · x ≥ 0 up to rounding, for rows X (n, d + 1)."""
        return np.asarray(settled_scores(X, w, reach) >= 0)

    def taken(self, s: Any, w: Float, right: int) -> Any:
        """The state whose last unit has the weights w (n + 1,). right: how many of its group they
        get right
        """
        weights = s.weights[-1].copy()
        weights[:, -1] = w
        return self.counted(replace(s, weights=(*s.weights[:-1], frozen(weights)), right=right))

    def halfway(self, X: Float, w: Float, reach: Float) -> Float:
        """(d + 1,) w with its threshold moved half-way between the nearest rows of X (n, d + 1) on
        both sides.

        Unchanged where all rows lie on one side. reach: as in `settled_scores`
        """
        fired = self.fires(X, w, reach)
        if fired.all() or not fired.any():
            return w
        score = X[:, :-1] @ w[:-1]
        low = score[fired].min()
        high = score[~fired].max()
        return np.append(w[:-1], -(low + high) / 2) if low > high else w

    def with_unit(self, s: Any, tile: Tile) -> Any:
        """The state with one more unit in the last layer, which starts by separating the outermost
        example of its tile.
        """
        weights = np.column_stack([s.weights[-1], np.zeros(len(s.weights[-1]))])
        s = replace(s, weights=(*s.weights[:-1], frozen(weights)), group=frozen(tile.rows))
        X, y, reach = self.lesson(s)
        away = X[:, :-1] - X[:, :-1].mean(0)
        away /= np.abs(away).max()
        outermost = int((away**2).sum(1).argmax())
        w = away[outermost]
        score = X[:, :-1] @ w
        far = score.max()
        next_to_it = score[score < far].max()
        w = np.append(w, -(far + next_to_it) / 2)
        right = int(np.count_nonzero(self.fires(X, w, reach) == y))
        if 2 * right < len(y):
            w = -w
            right = len(y) - right
        return self.taken(s, w, right)

    def with_layer(self, s: Any) -> Any:
        """A layer of one unit that sees the last one.

        It says what that layer's first unit says, but in the tile where this is wrong most often:
        so it is wrong less often.
        """
        w = frozen(self._exception(self.tiles(s))[:, None])
        s = replace(s, weights=(*s.weights, w), group=self.rows)
        X, y, reach = self.lesson(s)
        right = np.count_nonzero(self.fires(X, w[:, 0], reach) == y)
        return self.taken(s, w[:, 0], int(right))

    def _exception(self, tiles: list[Tile]) -> Float:
        """(units + 1,) weights of a unit that answers as the first unit before it does, but in the
        tile where this is wrong most often as most of its examples ask.
        """
        # how many more examples of a tile would be right if the answer there were the other one
        gains = []
        for tile in tiles:
            positive, negative = tile.counts
            gains.append(negative - positive if tile.code[0] == "1" else positive - negative)
        k = int(np.argmax(gains))
        tile = tiles[k]
        positive, negative = tile.counts
        w = np.zeros(len(tile.code))
        w[0] = 1.0
        bias = 0.0
        if gains[k] > 0:
            to = 1.0 if positive >= negative else -1.0
            share = to / max(len(w) - 1, 1)
            w[1:] = [share if bit == "1" else -share for bit in tile.code[1:]]
            bias = share
        return np.append(2 * w, bias - w.sum())  # w is of answers ±1, the units say 0 and 1

    def tweak(self, s: Any, link: tuple[int, ...], value: float) -> Any:
        """The state with the weight of link (layer, from, to) set by hand."""
        return self.counted(replace(s, weights=with_weight(s.weights, link, value)))
