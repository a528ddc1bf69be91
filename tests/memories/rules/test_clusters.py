from memories.rules.clusters import REST, clusters, head


def test_the_deepest_cut_with_few_enough_clusters_is_taken() -> None:
    counts = {"shop.auth.a": 1, "shop.auth.b": 1, "shop.mail": 1, "team": 1}

    assert clusters(counts, limit=4) == {key: key for key in counts}
    assert clusters(counts, limit=3) == {
        "shop.auth.a": "shop.auth",
        "shop.auth.b": "shop.auth",
        "shop.mail": "shop.mail",
        "team": "team",
    }
    assert clusters(counts, limit=2) == {
        "shop.auth.a": "shop",
        "shop.auth.b": "shop",
        "shop.mail": "shop",
        "team": "team",
    }


def test_the_smallest_are_put_together_when_even_the_first_segments_are_too_many() -> None:
    found = clusters({"big": 9, "middle": 5, "small": 1, "tiny": 1}, limit=3)

    assert found == {"big": "big", "middle": "middle", "small": REST, "tiny": REST}


def test_one_deep_path_is_shown_as_it_is() -> None:
    assert clusters({"a.b.c.d": 3}, limit=5) == {"a.b.c.d": "a.b.c.d"}
    assert clusters({}, limit=5) == {}
    assert head("a.b.c", depth=2) == "a.b"
