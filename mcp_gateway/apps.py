"""What the gateway adds to the product when it starts."""

from django.apps import AppConfig


class McpGatewayConfig(AppConfig):
    name = "mcp_gateway"
    verbose_name = "Agents"

    def ready(self) -> None:
        # Models, which these import, are not ready before this point.
        from accounts.services.closing import on_closing as on_closing_account  # noqa: PLC0415
        from accounts.services.exporting import on_exporting  # noqa: PLC0415
        from mcp_gateway.queries import agents_of_space  # noqa: PLC0415
        from mcp_gateway.services.connections import forget_person, forget_space  # noqa: PLC0415
        from mcp_gateway.services.exporting import parts_of_account  # noqa: PLC0415
        from spaces.agents import agents_of  # noqa: PLC0415
        from spaces.services.closing import on_closing  # noqa: PLC0415

        on_closing.append(forget_space)
        # Before the spaces go, and with them the tokens that say which apps were the person's.
        on_closing_account.insert(0, forget_person)
        agents_of.append(agents_of_space)
        on_exporting.append(parts_of_account)
