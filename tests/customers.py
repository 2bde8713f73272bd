"""A table as a shop might export it: 3,000 customers with names, dates in two styles, words, yes
and no, gaps, and a column with decimal commas; who is likely to leave depends on four of the
columns.
"""

import random
from typing import NamedTuple

FIRST = [
    "Anna",
    "Björn",
    "Clara",
    "Dmitri",
    "Élise",
    "Fatima",
    "George",
    "Hana",
    "Igor",
    "Jana",
    "Karim",
    "Lena",
    "Miguel",
    "Nora",
    "Oskar",
    "Paula",
    "Quentin",
    "Rosa",
    "Sven",
    "Tessa",
]
LAST = [
    "Müller",
    "Smith",
    "Novák",
    "García",
    "Rossi",
    "Dubois",
    "Kowalski",
    "Jensen",
    "O'Brien",
    "Tanaka",
    "Silva",
    "Weber",
    "Lopez",
    "Ivanova",
    "Haddad",
    "Nguyen",
]
HEADINGS = "customer;name;joined;last order;region;plan;newsletter;age;monthly spend;visits;churned"
GAPS = {
    "last order": 0.03,
    "region": 0.05,
    "plan": 0.02,
    "newsletter": 0.03,
    "age": 0.08,
    "monthly spend": 0.04,
}


class Customers(NamedTuple):
    """text: of the file; rows: its cells as words, by heading, "" where one is missing."""

    text: str
    rows: list[dict[str, str]]


def customers(count: int = 3000, seed: int = 33) -> Customers:
    chance = random.Random(seed)
    rows = [_customer(chance, number) for number in range(1, count + 1)]
    lines = [HEADINGS, *(";".join(row.values()) for row in rows)]
    return Customers("\n".join(lines) + "\n", rows)


def _customer(chance: random.Random, number: int) -> dict[str, str]:
    age = chance.randint(18, 84)
    spend = chance.lognormvariate(3.2, 0.6)
    visits = chance.randint(0, 30)
    plan = chance.choices(["basic", "plus", "premium"], [5, 3, 2])[0]
    news = chance.choice(["yes", "no"])
    leaving = 0.02 * (60 - age) - 0.15 * visits + 1.6 * (plan == "basic") + 0.9 * (news == "no")
    row = {
        "customer": f"C{number:05}",
        "name": f"{chance.choice(FIRST)} {chance.choice(LAST)}",
        "joined": (
            f"{chance.randint(2014, 2023)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}"
        ),
        "last order": (
            f"{chance.randint(1, 28):02}.{chance.randint(1, 12):02}.{chance.randint(2023, 2024)}"
        ),
        "region": chance.choice(["north", "south", "east", "west"]),
        "plan": plan,
        "newsletter": news,
        "age": str(age),
        "monthly spend": f"{spend:.2f}".replace(".", ","),
        "visits": str(visits),
        "churned": "yes" if leaving + chance.gauss(0, 0.8) > -0.2 else "no",
    }
    return {name: "" if chance.random() < GAPS.get(name, 0) else cell for name, cell in row.items()}
