"""When a value that stands beside the word password (or key) is one."""

import re

from brain.lib.sanitising.values import (
    is_identity,
    is_placeholder,
    is_reference,
    is_term,
    is_word,
    looks_random,
)

# What sentences and settings say of passwords without telling one.
_SAID = frozenset(
    """
    a an and are as at be by can case for from has have if in is it long must never no not of on
    only or our per same so than that the them then these they this to use via we what when where
    which who why will with without your
    admin always any anonymous argon authentication auto automatic available aws azure bad basic
    bearer bitwarden blank both broken callback case changed char checked chosen class client common
    complex config const constr cookie correct credentials current custom database default
    deprecated
    different digits disabled dashlane dynamic email enabled encoded encrypted env environ
    environment error expired exported false field file fixed forbidden form format function
    generated
    github gitlab global google good hashed header here hidden ignored immutable important incorrect
    infisical input internal invalid issued jwt kept keychain keyring known kubernetes lastpass
    later length letters limited local locked login mandatory managed manual medium missing mixed
    model multiple never normal number numeric object okta old oauth optional options other outdated
    owner parameter private prompt property protected provided public random readonly recommended
    redis related request required reset response rotated safe salted same saved scoped scrypt
    secretstr secrets secure select sensitive server service session setting settings shared short
    simple stale static stored string strong temporary terraform text there today tokens tomorrow
    type uncertain unchanged unique unknown unlimited upper user validation value variable varchar
    vault void weak without wrong yesterday
    ainda alterada alterado antiga antigo aqui apenas cada cofre com como configurada correta da das
    de depois do dos ela ele em essa esse esta este errada expirada fica forte fraca foi gerada
    guardada
    igual inválida já mais mesma muito nas não nem no nos nova novo nunca obrigatória opcional para
    pelo por precisa que segura sem sempre ser será seu sua só somente tem temporária trocada um uma
    vazia você
    ask change choose confirm create delete enter generate remove revoke rotate store update verify
    alterar atualizar definir gerar guardar mudar pedir perguntar redefinir resetar trocar verificar
    elsewhere everywhere inside longer newer nowhere older outside plaintext safer secreta secreto
    shorter somewhere stronger weaker
    gone history nothing obsolete secure insecure stable unsafe useless worthless
    """.split()
)
_TOLD = re.compile(r"(?i).{3,}(?:ed|ing|able|ible|ado|ada|ido|ida|ados|adas|ando|endo|mente|ly)")
_DESCRIBES = re.compile(
    r"(?i).+(?:ive|al|ant|ent|ary|ory|ous|ic|ful|less|ure|ite|ete|y"
    r"|[óo]ri[ao]|ante|ente|vel|ic[ao]|os[ao]|iv[ao]|ad[ao]s?|id[ao]s?|ar|ir)"
)
_SHORTEST, _SHORTEST_WORD = 4, 6


def is_password(value: str, *, is_quoted: bool, is_assigned: bool, is_last: bool) -> bool:
    """Tell whether `value` is a password that somebody wrote down.

    `is_assigned` says that it follows an equals sign; `is_last`, that its line ends with it.
    """
    stands_out = is_quoted or is_assigned or is_last
    if (
        len(value) < _SHORTEST
        or is_placeholder(value)
        or is_reference(value, is_quoted=is_quoted)
        or (is_term(value) and not value.isdigit())
    ):
        return False
    words = value.split()
    if all(map(is_word, words)):
        return stands_out and len(value) >= _SHORTEST_WORD and not any(map(_is_said, words))
    return stands_out if value.isdigit() else any(map(str.isalnum, value))


def _is_said(word: str) -> bool:
    """Tell whether sentences about passwords have this word."""
    return word.lower() in _SAID or is_placeholder(word) or _TOLD.fullmatch(word) is not None


def is_said_password(value: str, *, is_quoted: bool, is_last: bool) -> bool:
    """Tell the same of a value that a sentence names.

    A plain word is one only in quotes, or as the last word and not one that describes.
    """
    if is_word(value) and not is_quoted and (not is_last or _DESCRIBES.fullmatch(value)):
        return False
    if is_identity(value):
        return False
    return is_password(value, is_quoted=is_quoted, is_assigned=False, is_last=is_last)


def is_key(value: str, *, is_quoted: bool, least: int) -> bool:
    """Tell whether `value` is a key or token that was drawn."""
    if is_placeholder(value) or is_reference(value, is_quoted=is_quoted) or is_term(value):
        return False
    return looks_random(value, least=least)
