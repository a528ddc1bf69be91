"""Labelled questions: LoCoMo (Maharana et al., 2024) and this project's Portuguese set.

The data is given by path and never copied: LoCoMo is CC BY-NC 4.0, for evaluation only.
"""

import dataclasses
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_TURN = re.compile(r"D\d+:\d+")
ADVERSARIAL = 5
FOREIGN = 30


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts, and questions each with the places of the texts that answer it.

    `unanswered` are questions that no text answers.
    """

    name: str
    texts: list[str]
    questions: list[tuple[str, frozenset[int]]]
    language: str = "en"
    unanswered: list[str] = field(default_factory=list)


def locomo(path: Path) -> dict[str, list[Corpus]]:
    """Return the turns and the observations of the ten conversations, categories 1 to 4."""
    conversations = json.loads((path / "locomo10.json").read_text())
    return {
        "turns": _crossed([_turns(each) for each in conversations]),
        "observations": _crossed([_observations(each) for each in conversations]),
    }


def _crossed(corpora: list[Corpus]) -> list[Corpus]:
    """Give each conversation questions about other people: nothing in it answers them."""
    following = [*corpora[1:], corpora[0]]
    return [
        dataclasses.replace(
            corpus, unanswered=[question for question, _ in other.questions[:FOREIGN]]
        )
        for corpus, other in zip(corpora, following, strict=True)
    ]


def _questions(conversation: dict[str, Any]) -> Iterator[tuple[str, set[str]]]:
    for question in conversation["qa"]:
        evidence = {turn for raw in question.get("evidence", []) for turn in _TURN.findall(raw)}
        if question["category"] != ADVERSARIAL and evidence:
            yield question["question"], evidence


def _turns(conversation: dict[str, Any]) -> Corpus:
    sessions = {
        int(name.split("_")[1]): turns
        for name, turns in conversation["conversation"].items()
        if re.fullmatch(r"session_\d+", name)
    }
    turns = [turn for _, session in sorted(sessions.items()) for turn in session]
    texts = [
        f"{turn['speaker']}: {turn.get('text', '')}"
        + (f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else "")
        for turn in turns
    ]
    places = {turn["dia_id"]: place for place, turn in enumerate(turns)}
    questions = [
        (question, frozenset(places[turn] for turn in evidence if turn in places))
        for question, evidence in _questions(conversation)
    ]
    return Corpus(conversation["sample_id"], texts, [each for each in questions if each[1]])


def _observations(conversation: dict[str, Any]) -> Corpus:
    facts: list[tuple[str, set[str]]] = []
    sessions = sorted(conversation["observation"].items(), key=lambda each: _number(each[0]))
    for _, people in sessions:
        for items in people.values():
            facts += [(text, set(_TURN.findall(str(evidence)))) for text, evidence, *_ in items]
    questions = [
        (question, frozenset(place for place, (_, turns) in enumerate(facts) if turns & evidence))
        for question, evidence in _questions(conversation)
    ]
    texts = [text for text, _ in facts]
    return Corpus(conversation["sample_id"], texts, [each for each in questions if each[1]])


def _number(name: str) -> int:
    return int(name.split("_")[1])


def portuguese(path: Path) -> dict[str, list[Corpus]]:
    """Return Portuguese memories with paraphrased, English, and keyword questions."""
    data = json.loads((path / "pt_memories.json").read_text())
    texts = [memory["text"] for memory in data["memories"]]
    places = {memory["id"]: place for place, memory in enumerate(data["memories"])}

    def corpus(name: str) -> list[Corpus]:
        questions = [(each["q"], frozenset({places[each["id"]]})) for each in data[name]]
        return [Corpus(name, texts, questions, "pt", data["none_far"])]

    return {
        "Portuguese paraphrases": corpus("queries_pt"),
        "English to Portuguese": corpus("queries_en"),
        "keywords": corpus("queries_kw"),
    }
