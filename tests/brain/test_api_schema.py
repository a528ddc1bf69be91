"""The published schema says of everything what it is, by an example that fits it."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from brain.api import api

Json = dict[str, Any]


@cache
def schema() -> Json:
    return dict(api.get_openapi_schema())


def operations() -> Iterator[tuple[str, Json]]:
    for path, methods in schema()["paths"].items():
        for method, details in methods.items():
            yield f"{method.upper()} {path}", details


OPERATIONS = dict(operations())


def shown(content: Json) -> tuple[Json, Json | None]:
    """Return the schema of a body and the example that it is explained by."""
    wanted: Json = next(iter(content.values()))["schema"]
    is_list = wanted.get("type") == "array"
    reference = (wanted["items"] if is_list else wanted).get("$ref", "")
    found = schema()["components"]["schemas"].get(reference.rpartition("/")[2], {})
    examples = found.get("examples")
    if not examples:
        return wanted, None
    return wanted, [examples[0]] if is_list else examples[0]  # type: ignore[return-value]


def assert_fits(example: object, wanted: Json) -> None:
    # References lead into the whole schema.
    whole = {**wanted, "components": schema()["components"]}
    Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        example
    )


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_parameter_is_described_and_shown(name: str) -> None:
    for parameter in OPERATIONS[name]["parameters"]:
        assert parameter.get("description"), parameter["name"]
        assert_fits(parameter["example"], parameter["schema"])


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_body_and_answer_has_an_example_that_fits(name: str) -> None:
    details = OPERATIONS[name]
    contents = [each["content"] for each in details["responses"].values() if "content" in each]
    if "application/json" in details.get("requestBody", {}).get("content", {}):
        contents.append(details["requestBody"]["content"])

    assert contents
    for content in contents:
        wanted, example = shown(content)
        assert example is not None, wanted
        assert_fits(example, wanted)


@pytest.mark.parametrize("name", OPERATIONS)
def test_refusals_are_problem_details(name: str) -> None:
    refusals = {
        status: list(answer["content"])
        for status, answer in OPERATIONS[name]["responses"].items()
        if int(status) >= 400
    }

    assert 401 in refusals
    assert {kind for kinds in refusals.values() for kind in kinds} == {"application/problem+json"}


def test_programs_may_be_generated_from_the_names_of_operations() -> None:
    names = [details["operationId"] for details in OPERATIONS.values()]

    assert len(set(names)) == len(names) > 20
    assert all(name.isidentifier() for name in names)
