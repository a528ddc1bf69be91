"""The token and revocation endpoints, as browser clients and parallel sessions need them."""

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views import RevokeTokenView, TokenView
from typing_extensions import override

from mcp_gateway.oauth.cors import CorsMixin, private
from mcp_gateway.oauth.parameters import has_nul


@method_decorator(csrf_exempt, name="dispatch")
class SpaceTokenView(CorsMixin, TokenView):  # type: ignore[misc]
    """Exchanges codes and refresh tokens; each request is one transaction.

    The validator's locks so hold until the answer is complete. A refusal is an answer too: what
    it revoked stays revoked.
    """

    http_method_names = ["post", "options"]
    cors_methods = "POST, OPTIONS"

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        with transaction.atomic():
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        # The toolkit forgets it on refusals that it raises.
        response["Content-Type"] = "application/json"
        return private(response)

    @override
    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if has_nul(request):
            return JsonResponse({"error": "invalid_request"}, status=400)
        # The toolkit serves some grants here that the metadata does not offer.
        if request.POST.get("grant_type") not in oauth2_settings.OAUTH2_GRANT_TYPES_SUPPORTED:
            return JsonResponse({"error": "unsupported_grant_type"}, status=400)
        response: HttpResponseBase = super().post(request, *args, **kwargs)
        return response


@method_decorator(csrf_exempt, name="dispatch")
class SpaceRevokeView(CorsMixin, RevokeTokenView):  # type: ignore[misc]
    """Revokes tokens (RFC 7009)."""

    http_method_names = ["post", "options"]
    cors_methods = "POST, OPTIONS"

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        with transaction.atomic():
            response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return private(response)

    @override
    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if has_nul(request):
            return JsonResponse({"error": "invalid_request"}, status=400)
        response: HttpResponseBase = super().post(request, *args, **kwargs)
        return response
