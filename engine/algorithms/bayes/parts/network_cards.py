"""A Bayesian network with the table of every variable on a card: the values of the parents, and the
chance of each value as number and bar.
"""

from collections.abc import Mapping
from typing import Any

from engine.algorithms.bayes.parts import Networked, Parents, Tables, case_tag
from engine.authoring import Float, Sequence, np, replace
from engine.base.notation import counted, fixed
from engine.base.tags import joined
from engine.scene.scene import Card, CardRow, Cards, Role

MOST_VARIABLES = 8  # with all their cards; of more the family of the current one, else a ring
MOST_ABREAST = 4
MOST_ROWS = 12  # of a table; the row of the step is one of them

SHARE = "row's share"

# of a table, beside its chances: (rows, values) numbers, or a text for each row
Column = Float | tuple[str, ...]


def generations(parents: Parents) -> list[int]:
    """How many arcs lie at most above each variable."""
    depth = [0] * len(parents)
    for _ in parents:  # a path is never longer
        for x, own in enumerate(parents):
            depth[x] = max((depth[z] + 1 for z in own), default=0)
    return depth


def fits_cards(parents: Parents) -> bool:
    """Whether the network is small enough for cards."""
    depth = generations(parents)
    abreast = max((depth.count(d) for d in set(depth)), default=0)
    return len(parents) <= MOST_VARIABLES and abreast <= MOST_ABREAST


def network_cards(
    given: Networked[Any],
    parents: Parents,
    tables: Tables,
    current: int = -1,
    case: int = -1,
    hidden: Sequence[int] = (),
    numbers: Mapping[str, Column] | None = None,
    before: Float | None = None,
    about: str = "",
    old: Sequence[int] = (),
) -> Cards:
    """The variables as cards, parents above their children.

    current, case: the variable and the row of its table that a step is about; hidden: variables
    whose values are never seen; numbers: {name: Column} that the current card shows beside its
    chances; before: its former chances; about: which of the numbers a step is about, "": its
    chances; old: variables whose chances are still those of the last round
    """
    depth = generations(parents)
    order = in_order(parents, depth)
    cards = []
    for x in order:
        now = x == current
        cards.append(
            card(
                given,
                x,
                parents[x],
                tables[x],
                depth[x],
                case if now else -1,
                numbers or {} if now else {},
                before if now else None,
                Role.ACTIVE if now else Role.HELD_OUT if x in hidden else Role.PLAIN,
                x in hidden,
                about if now else "",
                x in old,
            )
        )
    place = {x: k for k, x in enumerate(order)}
    arrows = tuple(
        (place[z], -1, place[x], -1, Role.ACTIVE if x == current else Role.PLAIN)
        for x, own in enumerate(parents)
        for z in own
    )
    return Cards("Network: chances in every table", tuple(cards), arrows, across=False, tag="arcs")


def family_cards(
    given: Networked[Any],
    parents: Parents,
    tables: Tables,
    current: int,
    case: int,
    hidden: Sequence[int],
    numbers: Mapping[str, Column],
    before: Float | None,
    about: str,
    old: Sequence[int] = (),
) -> Cards:
    """Of a network that is too large for all its tables the current one, between the parents and
    the children of its variable.
    """
    above = list(parents[current])
    below = [x for x, own in enumerate(parents) if current in own]
    cards = [bare_card(given, z, 0, z in hidden) for z in above[:MOST_ABREAST]]
    cards.append(
        card(
            given,
            current,
            parents[current],
            tables[current],
            int(bool(above)),
            case,
            numbers,
            before,
            Role.ACTIVE,
            current in hidden,
            about,
            current in old,
        )
    )
    me = len(cards) - 1
    kept = MOST_ABREAST - (len(below) > MOST_ABREAST)
    cards += [bare_card(given, x, int(bool(above)) + 1, x in hidden) for x in below[:kept]]
    if len(below) > kept:
        cards.append(
            Card(int(bool(above)) + 1, counted(len(below) - kept, "more child", "more children"))
        )
    arrows = [(k, -1, me, -1, Role.ACTIVE) for k in range(me)]
    arrows += [(me, -1, k, -1, Role.PLAIN) for k in range(me + 1, len(cards))]
    title = f"Network: {given.variables[current].title} between its parents and its children"
    return Cards(title, tuple(cards), tuple(arrows), across=False, tag="arcs")


def bare_card(given: Networked[Any], x: int, lane: int, hidden: bool) -> Card:
    """A variable without its table."""
    variable = given.variables[x]
    role = Role.HELD_OUT if hidden else Role.PLAIN
    return Card(lane, variable.title, role=role, tag=joined("names", variable.tag))


def in_order(parents: Parents, depth: Sequence[int]) -> list[int]:
    """The variables from the top; in a row each stands near the middle of its parents."""
    order: list[int] = []
    middle: dict[int, float] = {}
    for lane in range(max(depth, default=-1) + 1):
        own = [x for x, d in enumerate(depth) if d == lane]
        wish = {
            x: float(np.mean([middle[z] for z in parents[x]])) if parents[x] else 0.5 for x in own
        }
        own.sort(key=lambda x: (wish[x], x))
        for nth, x in enumerate(own):
            middle[x] = (nth + 0.5) / len(own)
        order += own
    return order


def card(
    given: Networked[Any],
    x: int,
    own: Sequence[int],
    table: Float,
    lane: int,
    case: int,
    numbers: Mapping[str, Column],
    before: Float | None,
    role: Role,
    hidden: bool,
    about: str,
    old: bool = False,
) -> Card:
    """The card of one variable: a row for each row of its table. The numbers that a step is about
    stand beside the bar of the chance; for more than two values in place of the chances.

    old: the chances are of the last round, which it says; they are pale unless a step is about them
    """
    variable = given.variables[x]
    two = len(variable.values) == 2
    shown = list(range(min(len(table), MOST_ROWS)))
    if case >= MOST_ROWS:
        shown[-1] = case
    names = [given.variables[z].title for z in own] or [""]
    names += [] if two else list(variable.values)
    first = len(names)
    texts = {name: of for name, of in numbers.items() if isinstance(of, tuple)}
    names += list(numbers if two else texts)
    rows = []
    for j in shown:
        cells = values_of(given, own, j) or ["without parents"]
        if two:
            cells += [cell_of(name, of, j) for name, of in numbers.items()]
        else:
            spoken = numbers[about] if about else table
            digits = digits_of(about) if about else 3
            cells += [fixed(float(v), digits) for v in spoken[j]]
            cells += [of[j] for of in texts.values()]
        lit = first + list(numbers).index(about) if about and two else -1
        row = case_row(given, x, table[j], j, cells, case, before, two, lit)
        rows.append(replace(row, role=Role.INACTIVE) if old and case < 0 else row)
    kind = f"P({variable.values[0]})" if two else about or "chances" * old
    if old and not (about and not two):
        kind = f"old {kind}"
    notes = ["never seen"] * hidden + [kind] * bool(kind)
    return Card(
        lane,
        variable.title,
        tuple(rows),
        " · ".join(notes),
        tuple(names) if any(names) else (),
        tuple(k for k in range(first, len(names)) if names[k] != about),
        role,
        rest="more rows",
        tag=joined("names", variable.tag),
    )


def cell_of(name: str, column: Column, j: int) -> str:
    """Row j of a column: its text, or its numbers."""
    own = column[j]
    if isinstance(own, str):
        return own
    digits = digits_of(name)
    return " : ".join(fixed(float(v), digits) for v in own)


def digits_of(name: str) -> int:
    """The decimals of a column beside the chances: of a row's share, or of sums over the rows."""
    return 3 if name == SHARE else 1


def values_of(given: Networked[Any], parents: Sequence[int], case: int) -> list[str]:
    """The values of the parents in a row of a table, one text for each."""
    texts = []
    for z in reversed(parents):
        case, value = divmod(case, given.sizes[z])
        texts.append(given.variables[z].values[value])
    return texts[::-1]


def case_row(
    given: Networked[Any],
    x: int,
    chances: Float,
    j: int,
    cells: list[str],
    case: int,
    before: Float | None,
    two: bool,
    lit: int,
) -> CardRow:
    """A row of a table; of two values with a bar of the first and what it was before.

    lit: the cell that a step is about, −1 for the chances
    """
    role = Role.ACTIVE if j == case else Role.PLAIN
    tag = joined(given.variables[x].tag, case_tag(j))
    if not two:
        return CardRow(tuple(cells), role=role, tag=tag)
    chance = float(chances[0])
    former = float("nan") if before is None else float(before[j, 0])
    value = fixed(chance, 3)
    if former == former and fixed(former, 3) != value:
        value = f"{fixed(former, 3)} → {value}"
    return CardRow(tuple(cells), value, chance, former, role=role, tag=tag, cell=lit)
