import pytest
from oauth2_provider.cimd import CIMDError

from mcp_gateway.oauth.client_documents import ClientDocumentFetcher, Document, narrowed


@pytest.mark.parametrize(
    "address",
    [
        "https://127.0.0.1/client.json",
        "https://[::1]/client.json",
        "https://10.0.0.1/client.json",
        "https://169.254.169.254/latest/meta-data",
        "http://a.example/client.json",
        "https://a.example",
    ],
)
def test_nothing_inside_the_network_is_fetched(address: str) -> None:
    with pytest.raises(CIMDError):
        ClientDocumentFetcher().fetch(address)


def test_a_document_is_narrowed_to_what_is_offered() -> None:
    document: Document = {
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_methods_supported": ["private_key_jwt", "none"],
        "grant_types": ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
        "redirect_uris": ["https://a.example/cb"],
    }

    assert narrowed(document)["token_endpoint_auth_method"] == "none"
    assert narrowed(document)["grant_types"] == ["authorization_code", "refresh_token"]


def test_a_document_that_asks_for_nothing_else_stays_as_it_is() -> None:
    document: Document = {"redirect_uris": ["https://a.example/cb"], "client_name": "A"}

    assert narrowed(document) == document


@pytest.mark.parametrize(
    "uris", [["http://evil.example/cb"], ["https://a.example/ b"], ["https://a.example/\x00"]]
)
def test_a_document_with_an_unsafe_redirect_is_refused(uris: list[str]) -> None:
    with pytest.raises(CIMDError):
        narrowed({"redirect_uris": uris})


@pytest.mark.parametrize("uris", [None, "x", [7], []])
def test_a_document_without_redirects_is_left_to_the_toolkit(uris: object) -> None:
    assert narrowed({"redirect_uris": uris})["redirect_uris"] == uris
