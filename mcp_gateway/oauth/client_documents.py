"""Client ID metadata documents: fetched by the toolkit, read as real clients write them."""

import logging
from urllib.parse import urlsplit

from oauth2_provider.cimd import CIMDError, SafeMetadataFetcher, _validate_client_id_url
from oauth2_provider.settings import oauth2_settings

from mcp_gateway.models import Application, plain_http, unprintable
from mcp_gateway.oauth.fetching import fetched
from mcp_gateway.oauth.known_documents import KNOWN_DOCUMENTS

logger = logging.getLogger(__name__)
Document = dict[str, object]
# How long a document holds that was not fetched: the real one is asked for again soon.
_KNOWN_FOR_SECONDS = 3600


class ClientDocumentFetcher(SafeMetadataFetcher):  # type: ignore[misc]
    """Fetches a client's document and narrows it to what this server offers."""

    def document(self, client_id: str) -> tuple[Document, int]:
        """Return the document as it is published, and for how many seconds it holds."""
        try:
            url = urlsplit(_validate_client_id_url(client_id).geturl())
            if unprintable([client_id]):
                raise CIMDError("a client document has no such address")
            with fetched(url, seconds=oauth2_settings.CIMD_FETCH_TIMEOUT_SECONDS) as response:
                found: tuple[Document, int] = self._read_document(response)
        except ValueError as error:
            raise CIMDError("a client document has no such address") from error
        return found

    def fetch(self, client_id: str) -> tuple[Document, int]:
        """Return what the client publishes; at first what it is known to, if that can't be read.

        Raises CIMDError, after which the toolkit keeps what it read before.
        """
        try:
            document, max_age = self.document(client_id)
        except CIMDError as error:
            known = KNOWN_DOCUMENTS.get(client_id)
            if known is None or Application.objects.filter(client_id=client_id).exists():
                raise
            logger.warning("Taking %s as it is known, it can't be read: %s", client_id, error)
            document, max_age = known, _KNOWN_FOR_SECONDS
        return narrowed(document), max_age


def narrowed(document: Document) -> Document:
    """Return the document with the choices that this server takes; raises CIMDError.

    ChatGPT prefers private_key_jwt and says that it can do without; VS Code lists the device
    grant beside the code. The toolkit refuses both.
    """
    methods = document.get("token_endpoint_auth_methods_supported")
    if isinstance(methods, list) and "none" in methods:
        document = {**document, "token_endpoint_auth_method": "none"}
    grants = document.get("grant_types")
    if isinstance(grants, list) and "authorization_code" in grants:
        document = {**document, "grant_types": ["authorization_code", "refresh_token"]}
    uris = document.get("redirect_uris")
    texts = [uri for uri in uris if isinstance(uri, str)] if isinstance(uris, list) else []
    if unprintable(texts) or plain_http(texts):
        raise CIMDError("a redirect URI is broken, or uses plain http outside its own computer")
    return document
