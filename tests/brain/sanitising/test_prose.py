"""Sentences and settings in which people tell a password, and those in which they don't."""

import pytest

from brain.lib.sanitising import sanitize_write
from tests.brain.sanitising.made_up import made_up

TOLD = """\
Senha do wifi: gato2024
A senha do banco de produção é <alnum 6>#mPq
senha=123456
Senha: abacaxi
password: hunter2
the db password is 'tr0ub4dor&3'
root password → toor99
PASSWORD=hunter
export DB_PASSWORD=s3cr3t!
user=ana password=s3cr3t1
Login: ana / senha: Gato@2024
Use a senha Gato@2024 para entrar
minha senha do banco é 482913
usuário ana, senha Gato@2024
admin password: `P@ssw0rd`
The password is swordfish.
a senha do admin é abacaxi
The WiFi password is sunshine2020 and the guest network is open
mysql://root:root@localhost/db
passwd=foo123;host=x
passwort: Hund1234
contraseña: Perro2024
{"password":"hunter22"}
{\\"password\\": \\"hunter22\\"}
spring.datasource.password=abc12345
Senha provisória: Mudar@123
Password (prod): hunter22
a senha foi trocada para Gato2024
PIN: 4821
token: <alnum 20>
apikey: '<hex 32>'
jwt secret: my$uper5ecretJWTkey
x-api-key: <alnum 40>
A chave da API é <alnum 32>
otpauth://totp/x?secret=<upper 16>&issuer=a
Set-Cookie: sid=<token 40>; Path=/"""

NOT_TOLD = """\
We rotate the password every 90 days.
Password policy: at least 12 characters, one digit.
Password must contain: 1 uppercase, 1 digit
A senha precisa ter 8 caracteres
senha: mínimo de 8 caracteres
password reset tokens expire after 15 minutes
max_tokens=4096
access token lifetime: 3600s
secret: stored in 1Password vault Team/Shop
Decision: password hashing uses argon2id with m=65536
The key is composite: space_id, memory_id
API key header: X-Api-Key
commit 4a99557e4033c3539de2eb65472017cad5f9557f
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
md5 d41d8cd98f00b204e9800998ecf8427e
id 0193f2a4-7c1e-7def-8a12-9c1d2e3f4a5b
integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC"
password: <PASSWORD>
password = input('Password: ')
o token de acesso expira em 1 hora
Use a password manager such as 1Password or Bitwarden
Senha: pedir para a Ana
Passwords live in Vault at secret/shop/db
password="${DB_PASSWORD}"
password: {{ vault_db_password }}
password: !vault |
token: ${{ secrets.GITHUB_TOKEN }}
const password = req.body.password;
if (password === confirmPassword)
password: z.string().min(8)
password varchar(255) not null
Bearer token: see the vault
The token contract is ERC-20
the secret is in k8s secret shop-db
The password for the staging DB is in AWS Secrets Manager under shop/staging/db
the password was leaked in 2024
passphrase: 4+ words
pass: 120, fail: 3
key rotation: 2026-01-15T00:00:00Z
api_key_id: 12345
public key: ssh-ed25519
auth token TTL = 3600
credentials: same-origin
client key: app:claude-code
docker run -u 1000:1000
the password is sent over TLS1.3
the secret is base64url-encoded
The password is mandatory.
A senha é a mesma.
The root password is too weak.
the password is plaintext
Password rules: NIST SP 800-63B
password algorithm: PBKDF2-SHA256
The Password field is required; the token is opaque to clients.
-----BEGIN CERTIFICATE-----
Tabs\tand  blanks  stay."""


@pytest.mark.parametrize("sentence", TOLD.splitlines())
def test_a_password_that_is_told_goes(sentence: str) -> None:
    assert sanitize_write(made_up(sentence)).is_changed


@pytest.mark.parametrize("sentence", NOT_TOLD.splitlines())
def test_talk_about_passwords_comes_back_byte_for_byte(sentence: str) -> None:
    assert sanitize_write(sentence).text == sentence


def test_the_words_around_a_password_stay() -> None:
    text = "A senha do admin é " + made_up("<alnum 10>") + ", e o usuário é ana."

    assert (
        sanitize_write(text).text == "A senha do admin é [redacted: password], e o usuário é ana."
    )


def test_of_an_address_the_host_stays() -> None:
    text = "postgresql://shop:" + made_up("<alnum 12>") + "@db.example.org/shop"

    clean = sanitize_write(text)

    assert clean.text == "postgresql://[redacted: password_in_url]@db.example.org/shop"
    assert clean.types == {"password_in_url": 1}


def test_every_secret_is_counted_by_type() -> None:
    token, key = made_up("ghp_<alnum 36>"), made_up("AKIA<upper 16>")

    clean = sanitize_write(f"{token}, {key} and {token} again")

    assert clean.text == (
        "[redacted: github_token], [redacted: aws_access_key_id] and [redacted: github_token] again"
    )
    assert clean.types == {"github_token": 2, "aws_access_key_id": 1}


def test_inside_a_path_the_marker_is_a_segment() -> None:
    path = made_up("Project.ghp_<alnum 36>.Notes")

    assert sanitize_write(path, in_path=True).text == "Project.redacted-github_token.Notes"
