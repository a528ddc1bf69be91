"""Keys of code hosting, builds and package registries."""

from brain.lib.sanitising.rules import shaped

RULES = (
    shaped(
        "github_token",
        r"gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{60,255}|ghs_[0-9]{1,12}_eyJ[\w.-]{60,2000}",
        hints="ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        hits=(
            "ghp_<alnum 36>",
            "gho_<alnum 36>",
            "ghs_<alnum 36>",
            "github_pat_<alnum 22>_<alnum 59>",
        ),
        lookalikes=("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_token", "github_pat_name"),
    ),
    shaped(
        "gitlab_token",
        r"gl(?:pat|ptt|dt|rt|rtr|cbt|ft|imt|agent|oas|soat|ffct)-[\w-]{20,300}"
        r"(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?|GR1348941[\w-]{20}",
        hints="glpat- glptt- gldt- glrt- glcbt- glft- glimt- glagent- gloas- glsoat- glffct- "
        "glrtr- gr1348941",
        hits=("glpat-<token 20>", "glpat-<alnum 27>.01.<lower 9>", "glrt-<token 20>"),
        lookalikes=("glpat-", "glpat-your-token-goes-here"),
    ),
    shaped(
        "atlassian_token",
        r"AT(?:ATT3|CTT3)[\w=-]{60,400}|ATBB[A-Za-z0-9]{28,40}",
        hints="atatt3 atctt3 atbb",
        hits=("ATATT3xFfGF0<token 180>", "ATBB<alnum 32>"),
        lookalikes=("ATBB", "ATATT3"),
    ),
    shaped(
        "build_token",
        r"CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}|bk(?:ua|ct|at)_[a-f0-9]{40}|sgp_(?:[a-f0-9]{16}_)?[a-f0-9]{40}"
        r"|sq[apu]_[a-f0-9]{40}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|dckr_[op]at_[\w-]{27,40}",
        hints="ccipat_ bkua_ bkct_ bkat_ sgp_ sqa_ sqp_ squ_ pmak- dckr_",
        hits=(
            "CCIPAT_<alnum 22>_<hex 40>",
            "bkua_<hex 40>",
            "sgp_<hex 16>_<hex 40>",
            "squ_<hex 40>",
            "PMAK-<hex 24>-<hex 34>",
            "dckr_pat_<token 27>",
        ),
        lookalikes=("dckr_pat_name", "sqa_<hex 10>"),
    ),
    shaped(
        "npm_token",
        r"npm_[A-Za-z0-9]{36}",
        hints="npm_",
        hits=("npm_<alnum 36>",),
        lookalikes=("npm_token", "npm_config_registry", "npm_lifecycle_event"),
    ),
    shaped(
        "pypi_token",
        r"pypi-[\w-]{50,300}",
        hints="pypi-",
        hits=("pypi-AgEIcHlwaS5vcmc<token 70>",),
        lookalikes=("pypi-mirror", "pypi-server-with-cache"),
    ),
    shaped(
        "rubygems_key",
        r"rubygems_[a-f0-9]{48}",
        hints="rubygems_",
        hits=("rubygems_<hex 48>",),
        lookalikes=("rubygems_version",),
    ),
    shaped(
        "crates_token",
        r"cio[A-Za-z0-9]{32}",
        hints="cio",
        hits=("cio<alnum 32>",),
        lookalikes=("ciosome", "associo"),
    ),
    shaped(
        "nuget_key",
        r"oy2[a-z0-9]{43}",
        hints="oy2",
        hits=("oy2<lower 43>",),
        lookalikes=("oy2",),
    ),
    shaped(
        "clojars_token",
        r"CLOJARS_[a-z0-9]{60}",
        hints="clojars_",
        hits=("CLOJARS_<lower 60>",),
        lookalikes=("CLOJARS_TOKEN",),
    ),
    shaped(
        "jfrog_key",
        r"AKCp[A-Za-z0-9]{69}|cmVmd[A-Za-z0-9]{59}",
        hints="akcp cmvmd",
        hits=("AKCp<alnum 69>", "cmVmd<alnum 59>"),
        lookalikes=("AKCp", "cmVmd"),
    ),
)
