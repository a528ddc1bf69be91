"""Keys of payment, chat, mail and other services."""

from brain.lib.sanitising.rules import shaped

RULES = (
    shaped(
        "stripe_key",
        r"[rs]k_(?:live|test|prod)_[A-Za-z0-9]{16,255}|whsec_[A-Za-z0-9+/=]{32,100}",
        hints="k_live_ k_test_ k_prod_ whsec_",
        hits=("sk_live_<alnum 24>", "rk_live_<alnum 99>", "sk_test_<alnum 24>", "whsec_<alnum 32>"),
        lookalikes=("pk_live_<alnum 24>", "sk_live_key", "whsec_secret"),
    ),
    shaped(
        "payment_key",
        r"EAAA[\w-]{60}|sq0(?:csp-[\w-]{43}|atp-[\w-]{22})"
        r"|access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"
        r"|APP_USR-[0-9]{10,20}-[0-9]{6}-[a-f0-9]{32}(?:-[0-9]{5,12})?"
        r"|rzp_(?:live|test)_[A-Za-z0-9]{14}|FLWSECK(?:_TEST)?-[a-z0-9]{32}-X"
        r"|access-(?:sandbox|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        hints="eaaa sq0csp- sq0atp- access_token$ app_usr- rzp_ flwseck access-sandbox- "
        "access-production-",
        hits=(
            "EAAA<token 60>",
            "sq0csp-<token 43>",
            "access_token$production$<lower 16>$<hex 32>",
            "APP_USR-<digit 16>-<digit 6>-<hex 32>-<digit 9>",
            "rzp_live_<alnum 14>",
            "FLWSECK-<lower 32>-X",
        ),
        lookalikes=("APP_USR-id", "rzp_live_key", "EAAA"),
    ),
    shaped(
        "asaas_key",
        r"\$aact_(?:prod_|hmlg_)?[A-Za-z0-9+/=:]{60,400}",
        hints="$aact_",
        hits=("$aact_prod_<base64 160>",),
        lookalikes=("$aact_key",),
        check=lambda match: len(set(match[0])) > 10,  # noqa: PLR2004  more than one letter repeated
    ),
    shaped(
        "slack_token",
        r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,300}|xapp-[0-9]-[A-Za-z0-9-]{20,300}"
        r"|xwfp-[A-Za-z0-9-]{10,300}",
        hints="xox xapp- xwfp-",
        hits=("xoxb-<digit 12>-<digit 12>-<alnum 24>", "xapp-1-<upper 11>-<digit 13>-<hex 64>"),
        lookalikes=("xoxb-", "xoxb-your-token"),
    ),
    shaped(
        "webhook_address",
        r"https://(?:hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[\w/+-]{30,120}"
        r"|(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/[0-9]{15,22}/[\w-]{50,90}"
        r"|[\w-]{1,60}\.webhook\.office\.com/webhookb2/[\w@/-]{60,300}"
        r"|hooks\.zapier\.com/hooks/catch/[0-9]{4,12}/[a-z0-9]{5,12})",
        hints="hooks.slack /api/webhooks/ webhook.office.com hooks.zapier",
        hits=(
            "https://hooks.slack.com/services/T<upper 10>/B<upper 10>/<alnum 24>",
            "https://discord.com/api/webhooks/<digit 18>/<token 68>",
            "https://shop.webhook.office.com/webhookb2/<hex 40>/IncomingWebhook/<hex 32>",
        ),
        lookalikes=(
            "https://api.slack.com/messaging/webhooks",
            "https://discord.com/api/webhooks/",
        ),
    ),
    shaped(
        "discord_token",
        r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}",
        hints=".",
        hits=("M<alnum 25>.<alnum 6>.<alnum 38>",),
        lookalikes=("Module.Config.Something", "NNNN.NNNN.NNNN"),
        check=lambda match: any(char.isdigit() for char in match[0]) and match[0][:24].isalnum(),
    ),
    shaped(
        "telegram_token",
        r"(?:bot)?[0-9]{8,10}:[A-Za-z0-9_-]{35}",
        hints=":",
        hits=(
            "<digit 10>:AA<alnum 33>",
            "https://api.telegram.org/bot<digit 10>:AA<alnum 33>/getMe",
        ),
        lookalikes=("12345678:9", "1700000000:ok"),
        check=lambda match: len(set(match[0])) > 15,  # noqa: PLR2004  a drawn key has more
    ),
    shaped(
        "chat_token",
        r"syt_[A-Za-z0-9+/=]{1,80}_[A-Za-z]{20}_[A-Za-z0-9]{6}|EAA[A-Za-z0-9]{90,400}"
        r"|A{20,24}[A-Za-z0-9%]{40,120}",
        hints="syt_ eaa aaaaaaaaaaaaaaaaaaaa",
        hits=(
            "syt_<alpha 8>_<alpha 20>_<alnum 6>",
            "EAA<alnum 160>",
            "AAAAAAAAAAAAAAAAAAAAA<alnum 80>",
        ),
        lookalikes=(
            "EAA",
            "syt_name",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        ),
        check=lambda match: len(set(match[0])) > 8,  # noqa: PLR2004  not one letter held down
    ),
    shaped(
        "mail_key",
        r"SG\.[\w-]{20,24}\.[\w-]{39,50}|key-[a-f0-9]{32}|xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}"
        r"|re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,28}|[a-f0-9]{32}-us[0-9]{1,2}",
        hints="sg. key- xkeysib- re_ -us",
        hits=(
            "SG.<token 22>.<token 43>",
            "key-<hex 32>",
            "xkeysib-<hex 64>-<alnum 16>",
            "re_<alnum 8>_<alnum 24>",
            "<hex 32>-us12",
        ),
        lookalikes=("SG.docs.html", "re_compile_something", "key-value", "<hex 32>"),
    ),
    shaped(
        "twilio_key",
        r"SK[a-f0-9]{32}",
        hints="sk",
        hits=("SK<hex 32>",),
        lookalikes=("AC<hex 32>", "SK", "SKU-12345"),
    ),
    shaped(
        "shopify_token",
        r"shp(?:at|ca|pa|ss|tka)_[a-fA-F0-9]{32}",
        hints="shpat_ shpca_ shppa_ shpss_ shptka_",
        hits=("shpat_<hex 32>", "shpss_<hex 32>"),
        lookalikes=("shpat_token",),
    ),
    shaped(
        "hubspot_token",
        r"pat-(?:na|eu|ap)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        hints="pat-na pat-eu pat-ap",
        hits=("pat-na1-<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",),
        lookalikes=("<hex 8>-<hex 4>-<hex 4>-<hex 4>-<hex 12>",),
    ),
    shaped(
        "workspace_token",
        r"lin_(?:api|oauth)_[A-Za-z0-9]{40,64}|ntn_[A-Za-z0-9]{46}|secret_[A-Za-z0-9]{43}"
        r"|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|figd_[\w-]{40}|CFPAT-[\w-]{43}|pk_[0-9]{6,10}_[A-Z0-9]{32}"
        r"|sk\.eyJ[\w-]{20,200}\.[\w-]{20,40}|sl\.[\w-]{130,160}",
        hints="lin_api_ lin_oauth_ ntn_ secret_ pat figd_ cfpat- pk_ sk.eyj sl.",
        hits=(
            "lin_api_<alnum 40>",
            "ntn_<alnum 46>",
            "secret_<alnum 43>",
            "pat<alnum 14>.<hex 64>",
            "figd_<token 40>",
            "CFPAT-<token 43>",
            "sk.eyJ<alnum 60>.<token 22>",
        ),
        lookalikes=("secret_manager_configuration", "lin_api_key", "pk.eyJ<alnum 60>.<token 22>"),
        check=lambda match: any(char.isdigit() for char in match[0]),
    ),
)
