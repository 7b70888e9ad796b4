"""A blind test of voices: whether a reply alone tells which friend composed it, by the nearest of 24 centres.

Words, pairs of words, emoji, lengths, capitals and habits of punctuation are counted, weighed by how few replies have
them; every reply is compared with the mean of each friend's other replies.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.reply.situations import composing, decided

from chingoo.engine.engine import Engine
from chingoo.policy.bundle import Bundle
from chingoo.reply.composer import compose

SAID = (
    "I had a boring day",
    "I went to the market",
    "my sister called me",
    "I'm so stressed about my exam",
    "I got the job!",
    "I can't sleep",
    "the train was late again",
    "I made soup",
)
"""Small talk, worry and joy."""

Weights = dict[str, float]


@dataclass(frozen=True, slots=True)
class Guesses:
    """How often the right friend was guessed, how often at least its archetype, and who was taken for whom."""

    friends: float
    archetypes: float
    mistaken: Counter[tuple[str, str]]


def guess_voices(bundle: Bundle, engine: Engine, replies: int) -> Guesses:
    """Leave one out: each of so many replies of every friend is given to the nearest centre."""
    written = [
        (template_id, _traits(_reply(bundle, engine, template_id, number)))
        for template_id in sorted(bundle.personas)
        for number in range(replies)
    ]
    seen_in = Counter(trait for _, traits in written for trait in traits)
    weighed = [(author, _weighed(traits, seen_in, len(written))) for author, traits in written]
    centres = {author: _sum([weights for other, weights in weighed if other == author]) for author, _ in weighed}
    guessed = [(author, _nearest(author, weights, centres)) for author, weights in weighed]
    archetype = {name: template.core_archetype for name, template in bundle.personas.items()}
    return Guesses(
        friends=sum(author == guess for author, guess in guessed) / len(guessed),
        archetypes=sum(archetype[author] is archetype[guess] for author, guess in guessed) / len(guessed),
        mistaken=Counter(pair for pair in guessed if pair[0] != pair[1]),
    )


def _reply(bundle: Bundle, engine: Engine, template_id: str, number: int) -> str:
    said = decided(engine, SAID[number % len(SAID)])
    return compose(bundle, engine, composing(bundle, said, bundle.personas[template_id], seed=number * 17 + 3))


def _traits(reply: str) -> Counter[str]:
    words = reply.casefold().replace(".", " ").replace(",", " ").split()
    traits = Counter(words)
    traits.update(f"types {mark}" for mark in ("...", "!!", "~", ":)") if mark in reply)
    traits["begins small" if reply[:1].islower() else "begins with a capital"] += 1
    traits.update(f"{one} {other}" for one, other in pairwise(words))
    traits[f"about {len(words) // 10} tens of words"] += 1
    return traits


def _weighed(traits: Mapping[str, int], seen_in: Mapping[str, int], replies: int) -> Weights:
    weights = {trait: (1 + math.log(count)) * math.log(replies / seen_in[trait]) for trait, count in traits.items()}
    length = _length(weights) or 1.0
    return {trait: weight / length for trait, weight in weights.items()}


def _sum(parts: Sequence[Weights]) -> Weights:
    total: Weights = {}
    for part in parts:
        for trait, weight in part.items():
            total[trait] = total.get(trait, 0.0) + weight
    return total


def _nearest(author: str, weights: Weights, centres: Mapping[str, Weights]) -> str:
    def likeness(name: str) -> float:
        centre = dict(centres[name])
        if name == author:
            for trait, weight in weights.items():
                centre[trait] -= weight
        return sum(weight * centre.get(trait, 0.0) for trait, weight in weights.items()) / (_length(centre) or 1.0)

    return max(centres, key=likeness)


def _length(weights: Weights) -> float:
    return math.sqrt(sum(weight * weight for weight in weights.values()))
