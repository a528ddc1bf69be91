"""Keys of AI providers, and our own."""

from brain.lib.sanitising.rules import Match, is_real, shaped


def _is_drawn(match: Match) -> bool:
    # "sk-learn-contrib-and-so-on" is a name.
    key = match[0]
    has_digit = any(char.isdigit() for char in key)
    is_hex = set(key[3:]) <= set("0123456789abcdef")
    return is_real(match) and has_digit and (is_hex or key.lower() != key)


RULES = (
    shaped(
        "anthropic_key",
        r"sk-ant-[\w-]{20,300}",
        hints="sk-ant-",
        hits=("sk-ant-api03-<token 93>AA", "sk-ant-oat01-<token 93>AA"),
        lookalikes=("sk-ant-", "sk-ant-your-key-goes-right-here"),
    ),
    shaped(
        "openrouter_key",
        r"sk-or-v1-[a-f0-9]{64}",
        hints="sk-or-v1-",
        hits=("sk-or-v1-<hex 64>",),
        lookalikes=("sk-or-v1-key",),
    ),
    shaped(
        "openai_key",
        r"sk-[\w-]{20,300}",
        hints="sk-",
        hits=(
            "sk-proj-<alnum 60>T3BlbkFJ<alnum 60>",
            "sk-<alnum 48>",
            "sk-svcacct-<alnum 60>",
            "sk-<hex 32>",
        ),
        lookalikes=(
            "sk-learn-contrib-imbalanced-learn-docs",
            "sk-proj-your-key",
            "risk-assessment-of-2026-Q1-plan-B",
        ),
        check=_is_drawn,
    ),
    shaped(
        "huggingface_token",
        r"hf_[A-Za-z]{30,40}|api_org_[A-Za-z]{30,40}",
        hints="hf_ api_org_",
        hits=("hf_<alpha 34>", "api_org_<alpha 34>"),
        lookalikes=("hf_hub_download", "hf_token"),
    ),
    shaped(
        "ai_key",
        r"gsk_[A-Za-z0-9]{48,60}|r8_[A-Za-z0-9]{37}|pplx-[A-Za-z0-9]{48,60}|xai-[A-Za-z0-9]{70,90}"
        r"|tgp_v1_[\w-]{43}|csk-[a-z0-9]{48}|nvapi-[\w-]{60,80}|pcsk_\w{50,90}|jina_[\w-]{50,70}"
        r"|tvly-[\w-]{28,60}|fc-[a-f0-9]{32}|sk_[a-f0-9]{48}|lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"
        r"|e2b_[a-f0-9]{40}|m0-[A-Za-z0-9]{40}|apify_api_[A-Za-z0-9]{30,40}|pa-[\w-]{43}"
        r"|fw_[A-Za-z0-9]{22,26}|key_[a-f0-9]{64}|bb_live_[\w-]{26,40}",
        hints="gsk_ r8_ pplx- xai- tgp_v1_ csk- nvapi- pcsk_ jina_ tvly- fc- sk_ lsv2_ e2b_ m0- "
        "apify_api_ pa- fw_ key_ bb_live_",
        hits=(
            "gsk_<alnum 52>",
            "r8_<alnum 37>",
            "pplx-<alnum 48>",
            "xai-<alnum 80>",
            "nvapi-<token 64>",
            "pcsk_<alnum 70>",
            "tvly-dev-<alnum 32>",
            "fc-<hex 32>",
            "lsv2_pt_<hex 32>_<hex 10>",
            "e2b_<hex 40>",
        ),
        lookalikes=("r8_register", "pa-system", "key_size", "fw_version", "tvly-key"),
        check=lambda match: is_real(match) and any(char.isdigit() for char in match[0][4:]),
    ),
    shaped(
        "agents_brain_key",
        r"brain_[\w-]{32,200}",
        hints="brain_",
        hits=("brain_<token 43>",),
        lookalikes=("brain_app", "brain_secret_key"),
        check=lambda match: is_real(match) and any(char.isdigit() for char in match[0]),
    ),
)
