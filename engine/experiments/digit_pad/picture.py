"""The pad, what each learner says of it, and why: nearest pictures, hidden units, the way through
the tree.
"""

from engine.authoring import Float, Step, frozen, np
from engine.base.notation import counted, cut, number
from engine.base.tags import joined
from engine.experiments.digit_pad import Setting, State
from engine.experiments.digit_pad.learners import Answer
from engine.experiments.digit_pad.words import LETTERS, label, title
from engine.experiments.parts.lines import curve
from engine.scene.scene import (
    Bars,
    Figure,
    Labels,
    Layer,
    Matrix,
    Pictures,
    Plot,
    Role,
    Scene,
    Segments,
    Tree,
    TreeNode,
)

NAMED = 24  # letters of a learner in a heading
PLACES = np.linspace(0, 1, 101)


def scene(given: Setting, step: Step[State]) -> Scene:
    s = step.state
    figures: list[Figure] = [pad(given, step), answers(given, step)]
    for answer in s.answers:
        figures += why(given, answer)
    if s.tested:
        figures += [rejecting(given, s), easy_and_hard(given, s)]
    return Scene((), tuple(figures), leads=("Pad", "Answers"))


def pad(given: Setting, step: Step[State]) -> Pictures:
    """The drawn picture and below it the nearest pictures that vote; the cells that the tree tests
    are numbered while it is asked.
    """
    s = step.state
    side = given.side
    path = s.answers[-1].path if step.line == "ask" else ()
    path_columns = dict.fromkeys(column for column, _, _ in path)
    marks = tuple((j // side, j % side, str(k + 1)) for k, j in enumerate(path_columns))
    pictures = [s.x if len(s.x) else given.x]
    labels = [""]
    if s.answers:
        voted = s.answers[0]
        for row, distance in zip(voted.rows, voted.inner, strict=True):
            pictures.append(given.learn.X[row])
            labels.append(f"{label(given, int(given.learn.codes[row]))}: {distance:.1f}")
    return Pictures(
        pad_title(given, step),
        frozen(np.reshape(pictures, (-1, side, side)) / given.most),
        tuple(labels),
        marks,
        "drawn",
        given.most,
        beside=True,
        tags=("pad", *["nearest"] * (len(labels) - 1)),
    )


def pad_title(given: Setting, step: Step[State]) -> str:
    """The name of the pad, with what lies on it, or why cells of it are numbered."""
    s = step.state
    if step.line == "look":
        if not s.x.any():
            return "Pad: empty"
        if given.p.drawn:
            return "Pad: drawn"
        k = (given.p.picture - 1) % given.test.n
        return f"Pad: test picture {k + 1}, a {label(given, int(given.test.codes[k]))}"
    if step.line == "ask" and s.answers[-1].path:
        return "Pad: cells that the tree tests"
    return "Pad"


def easy_and_hard(given: Setting, s: State) -> Pictures:
    """Of each class the test picture that the learners answer best and the one that they answer
    worst: a row of easy ones and a row of hard ones with the number of learners that err, AIMA Fig
    18.36.

    Best: with the largest sum of sureness, where that of a wrong answer counts against it.
    """
    side, test = given.side, given.test
    sure, right = np.stack(s.tested).transpose(2, 1, 0)  # (m, learners) each
    score = np.where(right > 0, sure, -sure).sum(axis=1)
    rows = [np.flatnonzero(test.codes == c) for c in range(len(test.classes))]
    rows = [each for each in rows if len(each)]
    easy = [int(each[score[each].argmax()]) for each in rows]
    hard = [int(each[score[each].argmin()]) for each in rows]
    labels = [label(given, int(test.codes[row])) for row in easy]
    for row in hard:
        wrong = int((right[row] == 0).sum())
        labels.append(f"{label(given, int(test.codes[row]))}: {wrong} ✗")
    return Pictures(
        "Easy and hard",
        frozen(np.reshape(test.X[[*easy, *hard]], (-1, side, side)) / given.most),
        tuple(labels),
        across=len(easy),
        beside=True,
    )


def answers(given: Setting, step: Step[State]) -> Matrix:
    """A matrix of what speaks for each class (0 to 1), a column for each learner; in amber the
    answer of the one that is asked, at the end all answers. Below stand how sure it is, and the
    share of the test pictures that it gets right.
    """
    s = step.state
    k = len(given.learn.classes)
    values = np.full((k + 2, len(LETTERS)), np.nan)
    active = []
    names = list(LETTERS)
    for j, tested in enumerate(s.tested):
        values[-1, j] = float(tested[:, 1].mean())
    for j, answer in enumerate(s.answers):
        values[:-2, j] = answer.parts
        values[-2, j] = answer.sure
        if given.rejects(answer):
            names[j] = f"{LETTERS[j]}: ?"
        else:
            names[j] = f"{LETTERS[j]}: {label(given, answer.label)}"
            if step.line == "sure" or j == len(s.answers) - 1:
                active.append((answer.label, j))
    if step.line == "learn":
        active.append((k + 1, len(s.tested) - 1))
    rows = (*(label(given, c) for c in range(k)), "sure", "test right")
    return Matrix(
        answers_title(given, step, names),
        rows,
        tuple(names),
        frozen(values),
        tuple(active),
        x_label="learner",
        y_label="digit",
        row_tags=(joined("answers", "pad"),) * (k + 2),
        measures=2,
    )


def answers_title(given: Setting, step: Step[State], names: list[str]) -> str:
    """The title of the answers, with what this step does. names: of the learners, with what each
    says
    """
    s = step.state
    said = f"{counted(len(s.tested), 'learner')} taught"
    if step.line == "learn":
        said = f"{cut(title(s, len(s.learners) - 1), NAMED)}, is taught"
    if s.answers:
        said = "what all say"
        if step.line == "ask":
            said = f"{names[len(s.answers) - 1].replace(':', ' says')}"
            said += f", sure {number(s.answers[-1].sure)}"
    return f"Answers: {said}"


def why(given: Setting, answer: Answer) -> list[Figure]:
    """The figures behind an answer: outputs of the hidden units, or the path through the tree; []
    for neighbours.
    """
    if len(answer.inner) and not len(answer.rows):  # neighbours lie below the pad
        names = tuple(f"unit {i + 1}" for i in range(len(answer.inner)))
        return [Bars("Hidden units", names, answer.inner, unit="output", limit=1.0, tag="answers")]
    return [way(given, answer)] if answer.path else []


def way(given: Setting, answer: Answer) -> Tree:
    """The path of an answer through the decision tree, from the root to the leaf, as a tree
    figure.
    """
    side = given.side
    nodes = list[TreeNode]()
    branch = ""
    for k, (j, threshold, x) in enumerate(answer.path):
        text = f"{k + 1}: row {j // side + 1}, col {j % side + 1}"
        nodes.append(TreeNode(k - 1, branch, text, note=f"{x:g}", tag="path"))
        branch = f"{'>' if x > threshold else '≤'} {threshold:g}"
    said = label(given, answer.label)
    nodes.append(TreeNode(len(nodes) - 1, branch, said, "leaf", answer.label, tag="answers"))
    return Tree("Tree", nodes)


def rejecting(given: Setting, s: State) -> Plot:
    """A plot of the share of wrong answers among the test pictures that are answered, over the
    share rejected.
    """
    layers: list[Layer] = []
    shares = [wrong(tested) for tested in s.tested]
    for share, letter in zip(shares, LETTERS, strict=False):
        layers.append(curve(PLACES, share, Role.BOUNDARY, "wrong"))
        layers.append(Labels(frozen([[-0.03, share[0]]]), (letter,), Role.PLAIN))
    here = frozen([[[given.p.reject, -np.inf], [given.p.reject, np.inf]]])
    layers.append(Segments(here, Role.ACTIVE, label=(f"{given.p.reject:g}",), tag="rejected"))
    top = max([10.0, *(float(np.nanmax(share, initial=0.0)) for share in shares)])
    return Plot(
        "Reject",
        "answer only if so sure",
        "wrong of the answered, %",
        tuple(layers),
        beside=True,
        x_range=(-0.06, 1.04),
        y_range=(-0.1 * top, 1.08 * top),
    )


def wrong(tested: Float) -> Float:
    """(101,) per cent wrong among the test pictures answered with at least each sureness in PLACES;
    NaN where there is none. tested: (m, 2)
    """
    sure = tested[:, 0] >= PLACES[:, None]
    many = np.where(sure.any(axis=1), sure.sum(axis=1), np.nan)
    return 100 * (1 - sure @ tested[:, 1] / many)
