"""Keys that open too much to be stored even as a marker: the write is refused."""

import base64
import binascii
import re

from brain.lib.sanitising.rules import Match, Rule
from brain.lib.sanitising.values import is_placeholder, looks_random

_KEY = "A private key is never stored."
_AWS = "A secret key of AWS is never stored."


def _is_armoured_key(match: Match) -> bool:
    """Tell whether base64 hides a PEM file with a private key (as in a kubeconfig)."""
    text = match[0]
    try:
        return b"PRIVATE KEY" in base64.b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        return False


def _is_secret_key(match: Match) -> bool:
    key = match["secret"]
    return not is_placeholder(key) and looks_random(key, least=40) and key.lower() != key


RULES = (
    Rule(
        "private_key",
        # With all that follows: also in a log, where nothing can be refused.
        re.compile(
            r"-{4,5} ?BEGIN (?:[A-Z0-9.]+ ){0,4}PRIVATE KEY(?: BLOCK)?"
            r"(?:[^-]++|-(?!-{3} ?END))*+(?:-{4,5} ?END[A-Z0-9. ]{1,60}-{4,5})?"
            r"|-{5}BEGIN OpenVPN Static key V1-{5}[0-9a-f\s]*+"
            r"|-{4} BEGIN SSH2 ENCRYPTED PRIVATE KEY[^-]*+"
        ),
        ("private key", "openvpn static key"),
        hits=(
            "-----BEGIN <upper 0>PRIVATE KEY-----\nMII<base64 60>\n<base64 64>",
            "-----BEGIN RSA PRIVATE <upper 0>KEY-----\\nMIIE<base64 40>",
            "-----BEGIN OPENSSH PRIVATE <upper 0>KEY-----\n<base64 70>",
            "-----BEGIN PGP PRIVATE KEY <upper 0>BLOCK-----\n\n<base64 64>",
        ),
        lookalikes=(
            "-----BEGIN CERTIFICATE-----",
            "-----BEGIN PUBLIC KEY-----",
            "The private key is kept in the vault.",
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI<base64 40> ana@laptop",
        ),
        check=lambda _: True,
        refusal=_KEY,
    ),
    Rule(
        "private_key",
        re.compile(
            r"AGE-SECRET-KEY-1[0-9A-Z]{58}|PuTTY-User-Key-File-[23]:"
            r"|\bxprv[1-9A-HJ-NP-Za-km-z]{100,112}"
            r"|\bMII[A-Za-z0-9+/]{2,8}IBADANBgkqhkiG9w0BAQEFAAS[A-Za-z0-9+/]{20}"
            r"|\bMIG[A-Za-z0-9+/]{1,3}AgEAMBMGByqGSM49[A-Za-z0-9+/]{20}|\bMC4CAQAwBQYDK2V[A-Za-z0-9+/]{20}"
            r"|\bMIIE[op][A-Za-z0-9]IBAAKCAQ[A-Za-z0-9+/]{20}"
            r"|\bb3BlbnNzaC1rZXktdjEA[A-Za-z0-9+/]{20}"
            r"|(?i:\bprivatekey\s{0,5}=\s{0,5})[A-Za-z0-9+/]{43}="
        ),
        (
            "age-secret-key-1",
            "putty-user-key-file",
            "xprv",
            "mii",
            "mig",
            "mc4caqa",
            "b3blbn",
            "privatekey",
        ),
        hits=(
            "AGE-SECRET-KEY-1<upper 58>",
            "PuTTY-User-Key-<upper 0>File-3: ssh-rsa",
            "xprv<base58 105>",
            "MIIEvQ<upper 0>IBADANBgkqhkiG9w0BAQEFAAS<base64 60>",
            "b3BlbnNzaC1rZXktdjEA<upper 0><base64 60>",
            "[Interface]\nPrivateKey = <base64 43>=",
        ),
        lookalikes=("PublicKey = <base64 43>=", "The PrivateKey = value comes from the vault."),
        check=lambda _: True,
        refusal=_KEY,
    ),
    Rule(
        "private_key",
        re.compile(r"(?<![A-Za-z0-9+/])LS0tLS1CRUdJTi[A-Za-z0-9+/]{20,60}"),
        ("ls0tls1crudjti",),
        hits=("client-key-data: LS0tLS1CRUdJTi<upper 0>BSU0EgUFJJVkFURSBLRVktLS0tLQpN",),
        lookalikes=("certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUR6",),
        check=_is_armoured_key,
        refusal=_KEY,
    ),
    Rule(
        "private_key",
        re.compile(
            r'"kty"\s{0,3}:(?:[^{}"]|"[^"{}]{0,400}"){1,40}?"d"\s{0,3}:\s{0,3}"[\w-]{20,}+"'
            r'|"d"\s{0,3}:\s{0,3}"[\w-]{20,2000}+"(?:[^{}"]|"[^"{}]{0,400}"){1,40}?"kty"'
        ),
        ('"kty"',),
        hits=('{"kty":"EC","crv":"P-256","x":"<token 43>","d":"<token 43>"}',),
        lookalikes=('{"kty":"EC","crv":"P-256","x":"<token 43>","y":"<token 43>"}',),
        check=lambda _: True,
        refusal=_KEY,
    ),
    Rule(
        "private_key",
        # Of a wallet, as its tools print it.
        re.compile(
            r"(?i)private[ _-]?key[\"'`]?[ \t]{0,3}(?:[:=]|is)[ \t]{0,3}[\"'`]?"
            r"(?:0x)?[0-9a-f]{64}(?![0-9a-f])"
        ),
        ("private",),
        hits=("PRIVATE_KEY=0x<hex 64>", "The private key is <hex 64>"),
        lookalikes=("private_key_id: <hex 40>", "PRIVATE_KEY=$KEY"),
        check=lambda _: True,
        refusal=_KEY,
    ),
    Rule(
        "aws_secret",
        re.compile(
            r"(?i:(?<![a-z])aws.{0,20}?secret|secret[ _-]?access[ _-]?key|secretaccesskey)"
            r"[A-Za-z_]{0,20}(?:[^A-Za-z0-9+/_]{1,8}[A-Za-z_]{1,20}){0,4}[^A-Za-z0-9+/_]{1,8}"
            r"(?P<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
        ),
        ("secret",),
        hits=(
            "aws_secret_access_key = <mixed 40>",
            'AWS_SECRET_ACCESS_KEY="<mixed 40>"',
            '"SecretAccessKey": "<mixed 40>"',
            "The secret access key of AWS is <mixed 40>.",
            "AWS secret: <mixed 40>",
        ),
        lookalikes=(
            "The variable AWS_SECRET_ACCESS_KEY comes from the vault.",
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "The AWS secret was rotated in <hex 40>.",
        ),
        check=_is_secret_key,
        refusal=_AWS,
    ),
    Rule(
        "aws_secret",
        re.compile(
            r"\b(?:AKIA|ASIA)[0-9A-Z]{16}[^A-Za-z0-9+/_]{1,20}"
            r"(?:[A-Za-z_]{1,20}[^A-Za-z0-9+/_]{1,8}){0,4}"
            r"(?P<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
        ),
        ("akia", "asia"),
        hits=("Access key ID,Secret access key\nAKIA<upper 16>,<mixed 40>",),
        lookalikes=("AKIAIOSFODNN7EXAMPLE was revoked in <hex 40>",),
        check=_is_secret_key,
        refusal=_AWS,
    ),
)
