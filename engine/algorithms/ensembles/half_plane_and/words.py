"""What the AND of half-planes says."""

from engine.algorithms.ensembles.half_plane_and import Params, Setting, State, predict
from engine.algorithms.ensembles.half_plane_and.picture import line_name, line_tag
from engine.authoring import (
    Choice,
    Explanation,
    Fact,
    Float,
    Mapping,
    Note,
    Operand,
    Option,
    note,
    np,
)
from engine.core.notation import counted
from engine.core.scene import Bars, Role

SUMMARY = (
    "Says inside where every one of K lines says so: three lines make a triangle, which no single"
    " line can. Each line has to say yes to all the inside, and every outside example needs one"
    " line that says no; who cuts off whom is learnt in turns."
)
ERRATA = (
    (
        "AIMA 18.10 shows the triangle and no way to learn it. Here examples go to lines and lines"
        " are fitted to examples in turns, as in k-means; by hand the weights of the lines can be"
        " changed in the network."
    ),
)
LOSS = Fact("log-loss of the lines", "{loss}")
WEIGHTS = Fact("its weights, the bias last", "{w}")


def chips(p: Params) -> tuple[str, ...]:
    return (
        (
            counted(p.members, "line")
            if p.lines == "learnt" or not p.corners
            else "lines through corners"
        ),
    )


def wording(p: Params) -> Mapping[str, str]:
    return {"start": "K lines by hand"} if p.lines == "by hand" else {}


def inner(given: Setting) -> str:
    return given.problem.class_text(given.inner)


def start(given: Setting, s: State) -> Note:
    lead = (
        "{K} {K:line stands|lines stand} round the {n} {n:example|examples} of class {name}, in all"
        " directions. The AND gets {errors} wrong."
    )
    if given.p.lines == "by hand" and given.p.corners:
        lead = (
            "{K} {K:line runs|lines run} through the corners as given. The AND gets {errors} wrong."
        )
    if given.starts > 1:
        lead = "Start {trial} of {starts}: " + lead
    told = {"trial": s.trial, "starts": given.starts}
    return note(
        lead, K=len(s.W), n=int(given.inside.sum()), name=inner(given), errors=s.errors, **told
    )


def loop(given: Setting, s: State) -> Note:
    return note("Round {round} begins.", round=s.round)


def assign(given: Setting, s: State) -> tuple[Note, Choice]:
    """The most doubtful example is shown with all lines."""
    x = given.problem.names[s.current]
    W = given.scores(s.W, given.problem.X[[s.current]])[:, 0]
    lead = (
        "{changed} outside {changed:example goes|examples go} to another line. {x} is the most"
        " doubtful."
    )
    if s.round == 1:
        lead = (
            "Every outside example goes to the line that says yes to it least: one no is enough."
            " {x} is the most doubtful."
        )
    elif not len(s.changed):
        lead = "No outside example changes its line. {x} is the most doubtful."
    told = {
        "changed": Operand(len(s.changed), about="own" if len(s.changed) else ""),
        "x": Operand(x, about="current"),
    }
    options = tuple(Option(line_name(k), float(w), line_tag(k), value=k) for k, w in enumerate(W))
    winners = tuple(int(k) for k in np.flatnonzero(W.min() == W))
    rule = "equal scores: the first line" if len(winners) > 1 else ""
    choice = Choice(
        f"Which line says yes to {x} least?",
        options,
        winners,
        int(s.owner[s.current]),
        rule,
        "w·x + w₀",
        True,
    )
    return (
        note(lead, LOSS, loss=Operand(s.loss, about="own" if len(s.changed) else ""), **told),
        choice,
    )


def learn(given: Setting, s: State) -> Note:
    """One line between the inside and the examples it has to cut off."""
    k = s.line
    own = given.own(s, s.line)
    h = Operand(line_name(k), about=line_tag(k))
    if not len(own):
        return note("{h} has no example to cut off: it stays where it is.", h=h)
    lead = (
        "{h} is fitted between the {inside} {inside:example|examples} inside and its own {own}"
        " outside."
    )
    miss = np.count_nonzero(s.votes[k, own]) + np.count_nonzero(~s.votes[k, given.inside])
    lead += " It gets {miss} of them wrong." if miss else " It parts them all."
    told = {
        "inside": int(given.inside.sum()),
        "own": Operand(len(own), about="own"),
        "miss": int(miss),
    }
    return note(lead, WEIGHTS, LOSS, h=h, w=Operand(s.W[k], digits=3), loss=s.loss, **told)


def until(given: Setting, s: State) -> Note:
    lead = (
        "Round {round} is over: {changed} outside {changed:example|examples} changed the line,"
        " {errors} {errors:point is|points are} wrong."
    )
    if s.round > 1 and not len(s.changed):
        lead = (
            "In round {round} no example changes its line: the end. {errors} {errors:point"
            " is|points are} wrong."
        )
    return note(lead, LOSS, round=s.round, changed=len(s.changed), errors=s.errors, loss=s.loss)


def alone(given: Setting, s: State) -> int:
    """Wrong points of the best of the lines, taken by itself."""
    return int(((s.votes != given.inside) & given.problem.labelled).sum(axis=1).min())


def and_(given: Setting, s: State, starts: int) -> Note:
    """What the ensemble says that no member can."""
    lead = (
        "Inside is where {K:the|all} {K} {K:line says|lines say} yes: the AND gets {errors} of {n}"
        " {n:point|points} wrong, the best line alone {alone}."
    )
    if len(s.W) == 1:
        lead = (
            "Inside is where the one line says yes: it gets {errors} of {n} {n:point|points} wrong."
        )
    if starts > 1:
        lead += " Of {starts} starts this one has the least loss."
    n = int(given.problem.labelled.sum())
    return note(lead, K=len(s.W), errors=s.errors, n=n, alone=alone(given, s), starts=starts)


def explain(given: Setting, s: State, x: Float) -> Explanation:
    """Inside, or which lines say no."""
    found = given.scores(s.W, x[None])[:, 0]
    label = int(predict(given, s, x[None])[0])
    no = [line_name(k) for k in np.flatnonzero(found < 0).tolist()]
    names = tuple(map(line_name, range(len(found))))
    name = given.problem.class_text(label)
    lead = (
        "{K:The|All} {K} {K:line says|lines say} yes: {name}."
        if not no
        else "{no} {count:says|say} no, and one no is enough: {name}."
    )
    roles = tuple(Role.ACTIVE if v < 0 else Role.PLAIN for v in found)
    bars = Bars(
        "w·x + w₀ of each line", names, found, roles, tags=tuple(map(line_tag, range(len(found))))
    )
    return Explanation(
        label, note(lead, K=len(found), no=" and ".join(no), count=len(no), name=name), bars
    )
