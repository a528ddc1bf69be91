"""Text that tries to command whoever reads it, as pages and tools sometimes return it.

A first, cautious set in English and Portuguese: phrases that speak to an assistant, not about a
thing. A rule that a team has ("never deploy on Fridays") is not an instruction to the reader.
"""

import re
import unicodedata

_REPORT = r"(?:tell|inform|mention (?:this|it) to|reveal (?:this|it) to|alert|notify|warn)"
_PERSON = r"(?:the |your )?(?:user|person|human|owner)"
_SECRETS = (
    r"(?:passwords?|secrets?|tokens?|credentials?|(?:api|private|ssh) keys?|senhas?|segredos?|"
    r"credenciais|chaves?)"
)
# Matched against lower case without accents.
_SIGNS = {
    # To drop what the reader was told before.
    "override": [
        (
            r"\b(?:ignore|disregard|forget|override|bypass) (?:\w+ ){0,4}"
            r"(?:instructions?|prompts?|guidelines)\b"
        ),
        r"\b(?:ignore|desconsidere|esqueca) (?:\w+ ){0,4}(?:instrucoes|diretrizes|prompts?)\b",
    ],
    # To take another part.
    "role": [
        r"\byou are now (?:an?|in|the) ",
        r"\bact as (?:if you|an? (?:ai|assistant|admin|root|system))\b",
        r"\bpretend (?:to be|that you|you are)\b",
        r"\bfrom now on,? you\b",
        r"\b(?:voce agora e|a partir de agora,? voce|finja (?:ser|que)|aja como)\b",
    ],
    # To hide something from the person.
    "secrecy": [
        rf"\b(?:do not|don't|never) {_REPORT} {_PERSON}\b",
        rf"\bwithout (?:telling|asking|informing) {_PERSON}\b",
        (
            r"\bnao (?:conte|diga|informe|avise|mencione) (?:isto |isso |nada )?"
            r"(?:ao|a) (?:usuario|usuaria|pessoa|dono)\b"
        ),
        r"\bsem (?:avisar|contar ao|informar|perguntar ao) (?:o |a )?(?:usuario|pessoa|dono)\b",
    ],
    # To run something, or to give something away.
    "command": [
        r"\bcurl\b[^|\n]{1,200}\| ?(?:sudo )?(?:ba|z)?sh\b",
        (
            rf"\b(?:send|post|upload|forward|email|exfiltrate) (?:\w+ ){{0,5}}{_SECRETS} "
            r"(?:\w+ ){0,3}to\b"
        ),
        rf"\b(?:envie|mande|poste) (?:\w+ ){{0,5}}{_SECRETS} (?:\w+ ){{0,3}}para\b",
    ],
    # The marks that models have around who speaks.
    "markup": [
        r"<\|?(?:im_start|system|assistant)\|?>",
        r"\[/?inst\]",
        r"(?:^|\n) ?#{0,3} ?(?:system (?:prompt|message)|prompt do sistema) ?:",
    ],
    # To whoever reads it, as an assistant.
    "address": [
        (
            r"\b(?:ai|llm|language) (?:assistant|model|agent)s?,? "
            r"(?:you must|you should|must|reading this)\b"
        ),
        r"\bas an ai (?:assistant|model|agent),? you\b",
        r"\b(?:assistente|modelo|agente) de ia,? (?:voce )?deve\b",
    ],
}
_PATTERNS = {code: re.compile("|".join(patterns)) for code, patterns in _SIGNS.items()}
SIGNS = tuple(_SIGNS)


def signs_of_instruction(text: str) -> list[str]:
    """Return the codes of what in `text` reads as a command to its reader; mostly nothing."""
    plain = _plain(text)
    return [code for code, pattern in _PATTERNS.items() if pattern.search(plain)]


def _plain(text: str) -> str:
    """Return `text` in lower case, without accents, with straight quotes and single blanks."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("\u2019", "'"))
    kept = "".join(char for char in apart if not unicodedata.combining(char))
    return re.sub(r"[^\S\n]+", " ", kept)
