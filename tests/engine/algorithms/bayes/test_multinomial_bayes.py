"""Naive Bayes for texts: ML Table 6.2 by hand on the e-mails of MMDS Fig 12.6, and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

import engine
from engine.algorithms.bayes.multinomial_bayes.texts import words_in
from engine.protocol.step import Level, Pace

ROUND = Pace(Level.ROUND)


def test_the_e_mails_by_hand() -> None:
    """ML Table 6.2, (n_k + 1) / (n + |Vocabulary|), on the rows of MMDS Fig 12.6, of
    which a, c and e are spam.
    """
    data = engine.textbook("spam")
    problem = engine.prepare(data)
    trace = engine.run("multinomial_bayes", data)
    words = trace.given.vocabulary.words
    assert words == ("and", "viagra", "the", "of", "nigeria")
    for c in range(2):
        n = problem.X[problem.codes == c].sum(axis=0)
        want = [(int(count) + 1) / (int(n.sum()) + 5) for count in n]
        assert trace[-1].state.shares[:, c] == pytest.approx(want)
    spam = [i for i in range(6) if problem.class_text(problem.codes[i]) == "+1"]
    assert [problem.names[i] for i in spam] == ["a", "c", "e"]


@pytest.mark.parametrize("alpha", [1.0, 0.3])
@pytest.mark.parametrize("classes", [2, 3, 5])
def test_counts_like_scikit_learn(classes: int, alpha: float) -> None:
    rng = np.random.default_rng(classes)
    y = np.arange(120) % classes
    rates = rng.uniform(0.1, 4, (classes, 8))
    X = rng.poisson(rates[y]).astype(float)
    trace = engine.run("multinomial_bayes", (X, y), added=alpha, pace=ROUND)
    oracle = MultinomialNB(alpha=alpha).fit(X, y)
    queries = rng.poisson(2.0, (300, 8)).astype(float)
    assert (trace.predict(queries) == oracle.predict(queries)).all()
    order = [trace.problem.classes.index(label) for label in range(classes)]
    assert trace[-1].state.shares[:, order] == pytest.approx(np.exp(oracle.feature_log_prob_).T)


def test_texts_like_scikit_learn() -> None:
    data = engine.textbook("news")
    texts = data["text"].labels()
    trace = engine.run("multinomial_bayes", data, pace=ROUND)
    vectors = CountVectorizer(token_pattern=r"\S+").fit(texts)
    oracle = MultinomialNB().fit(vectors.transform(texts), trace.problem.codes)
    assert len(trace.given.vocabulary.words) == len(vectors.vocabulary_)
    assert (trace.codes(trace.problem.X) == oracle.predict(vectors.transform(texts))).all()
    queries = "the engine of a rocket rocket on skates"
    run = engine.run("multinomial_bayes", data, query=queries)
    chances = [option.score for option in run[-1].choice.options]
    known = vectors.transform([" ".join(w for w in queries.split() if w != "on")])
    assert chances == pytest.approx(oracle.predict_proba(known)[0])
    assert run.given.unknown == ("on",)


def test_a_word_that_no_text_of_a_class_has_is_a_veto_where_nothing_is_added() -> None:
    data = engine.textbook("news")
    run = engine.run("multinomial_bayes", data, added=0.0, query="rocket tyres")
    assert "none" in run[-1].events
    alone = engine.run("multinomial_bayes", data, added=0.0, query="rocket")
    assert alone[-1].note["answer"] == "space"
    assert alone[-1].note["chance"] == 1.0


def test_numbers_below_0_are_no_counts() -> None:
    with pytest.raises(engine.EngineError, match="holds numbers below 0"):
        engine.run("multinomial_bayes", ([[1.0, -1.0], [0.0, 2.0]], ["a", "b"]))


@given(st.permutations(["rocket", "moon", "moon", "team", "winter"]))
def test_the_order_of_the_words_does_not_matter(words: list[str]) -> None:
    run = engine.run("multinomial_bayes", engine.textbook("news"), query=" ".join(words))
    plain = engine.run(
        "multinomial_bayes", engine.textbook("news"), query="moon moon rocket team winter"
    )
    found, want = ([o.score for o in r[-1].choice.options] for r in (run, plain))
    assert found == pytest.approx(want)


def test_words_are_cut_at_signs() -> None:
    assert words_in("Don't e-mail: “Viagra”, 100 pills!") == [
        "don't",
        "e-mail",
        "viagra",
        "100",
        "pills",
    ]
