from uuid import UUID

import pytest

from memories.rules.mentions import MAX_MENTIONS, Mentions, mentions

ID = "0190a1b2-0000-7000-8000-000000000001"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Nothing is named here.", Mentions()),
        (f"As {ID} says.", Mentions(ids=(UUID(ID),))),
        (f"As {ID.upper()}, {ID} say.", Mentions(ids=(UUID(ID),))),
        (f"A longer word: {ID}-more and x{ID}", Mentions()),
        ("See [[Project.Auth]].", Mentions(path_keys=("project.auth",))),
        ("See [[Project/Auth]] and [[project.auth]].", Mentions(path_keys=("project.auth",))),
        ("Not [[a..b]], not [[ ]], not [[a!]], not [single].", Mentions()),
        ("[[Ação.São-Paulo]]", Mentions(path_keys=("ação.são-paulo",))),
    ],
)
def test_ids_and_paths_in_brackets_are_found(text: str, found: Mentions) -> None:
    assert mentions(text) == found
    assert bool(mentions(text)) == bool(found.ids or found.path_keys)


def test_only_the_first_ones_count() -> None:
    text = " ".join(f"[[Path{number}]]" for number in range(MAX_MENTIONS + 5))

    assert len(mentions(text).path_keys) == MAX_MENTIONS
