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
from engine.base.notation import counted
from engine.scene.scene import Bars, Role

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
    if p.lines == "by hand" and p.corners:
        return ("lines through corners",)
    return (counted(p.members, "line"),)


def wording(p: Params) -> Mapping[str, str]:
    return {"start": "K lines by hand"} if p.lines == "by hand" else {}


def inner(given: Setting) -> str:
    """The name of the class inside."""
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
    return note(
        lead,
        trial=s.trial,
        starts=given.starts,
        K=len(s.W),
        n=int(given.inside.sum()),
        name=inner(given),
        errors=s.errors,
    )


def loop(given: Setting, s: State) -> Note:
    return note("Round {round} begins.", round=s.round)


def assign(given: Setting, s: State) -> tuple[Note, Choice]:
    """The note and choice of the most doubtful example's line."""
    changed = len(s.changed)
    if s.round == 1:
        lead = "Every outside example goes to the line that says yes to it least: one no is enough."
    elif changed:
        lead = "{changed} outside {changed:example goes|examples go} to another line."
    else:
        lead = "No outside example changes its line."
    lead += " {x} is as doubtful as any."
    about = "own" if changed else ""
    said = note(
        lead,
        LOSS,
        loss=Operand(s.loss, about=about),
        changed=Operand(changed, about=about),
        x=Operand(given.problem.names[s.current], about="current"),
    )
    return said, line_choice(given, s)


def line_choice(given: Setting, s: State) -> Choice:
    """The choice among the lines for the most doubtful example, by score."""
    x = given.problem.names[s.current]
    scores = given.scores(s.W, given.problem.X[[s.current]])[:, 0]
    options = tuple(
        Option(line_name(k), score, line_tag(k), value=k) for k, score in enumerate(scores.tolist())
    )
    winners = tuple(np.flatnonzero(scores == scores.min()).tolist())
    rule = "equal scores: the first line" if len(winners) > 1 else ""
    taken = int(s.owner[s.current])
    question = f"Which line says yes to {x} least?"
    return Choice(question, options, winners, taken, rule, "w·x + w₀", True)


def learn(given: Setting, s: State) -> Note:
    """The note of one learnt line, between the inside examples and those it has to exclude."""
    k = s.line
    h = Operand(line_name(k), about=line_tag(k))
    own = given.own(s, k)
    if not len(own):
        return note("{h} has no example to cut off: it stays where it is.", h=h)
    lead = (
        "{h} is fitted between the {inside} {inside:example|examples} inside and its own {own}"
        " outside."
    )
    yes = s.votes[k]
    wrong = int(np.count_nonzero(yes[own]) + np.count_nonzero(~yes[given.inside]))
    lead += " It gets {miss} of them wrong." if wrong else " It parts them all."
    return note(
        lead,
        WEIGHTS,
        LOSS,
        h=h,
        inside=int(given.inside.sum()),
        own=Operand(len(own), about="own"),
        miss=wrong,
        w=Operand(s.W[k], digits=3),
        loss=s.loss,
    )


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
    """The number of errors of the best single line."""
    wrong = (s.votes != given.inside) & given.problem.labelled
    return int(wrong.sum(axis=1).min())


def and_(given: Setting, s: State, starts: int) -> Note:
    """The note of the AND of all lines, compared with the best single line. starts: how many there
    were
    """
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
    """The answer at x (d,): inside, or the lines that say no."""
    scores = given.scores(s.W, x[None])[:, 0]
    label = int(predict(given, s, x[None])[0])
    K = len(scores)
    no = [line_name(k) for k in np.flatnonzero(scores < 0).tolist()]
    lead = "{K:The|All} {K} {K:line says|lines say} yes: {name}."
    if no:
        lead = "{no} {count:says|say} no, and one no is enough: {name}."
    name = given.problem.class_text(label)
    said = note(lead, K=K, no=" and ".join(no), count=len(no), name=name)
    names = tuple(map(line_name, range(K)))
    tags = tuple(map(line_tag, range(K)))
    roles = tuple(Role.ACTIVE if score < 0 else Role.PLAIN for score in scores)
    bars = Bars("w·x + w₀ of each line", names, scores, roles, tags=tags)
    return Explanation(label, said, bars)
