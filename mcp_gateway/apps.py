"""What the gateway adds to the product when it starts."""

from django.apps import AppConfig


class McpGatewayConfig(AppConfig):
    name = "mcp_gateway"
    verbose_name = "Agents"

    def ready(self) -> None:
        # Models, which these import, are not ready before this point.
        from mcp_gateway.services.connections import forget_space  # noqa: PLC0415
        from spaces.services.closing import on_closing  # noqa: PLC0415

        on_closing.append(forget_space)
