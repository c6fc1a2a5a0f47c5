"""The rules of an edition as pages, for the rooms that all games share."""

from matcha_p2p.games.matcha.lessons.rulebook import rulebook, rules_text, short_rules
from matcha_p2p.games.matcha.rules.edition import EDITIONS

__all__ = ["paragraphs", "tips", "titles"]


def paragraphs(variant: str) -> tuple[str, ...]:
    """Return the rules paragraph by paragraph, "" between chapters."""
    return rules_text(EDITIONS[variant])


def titles(variant: str) -> frozenset[str]:
    """Return the paragraphs that are titles."""
    return frozenset(chapter.title for chapter in rulebook(EDITIONS[variant]))


def tips(variant: str) -> tuple[str, ...]:
    """Return rules that can each be understood alone."""
    return short_rules(EDITIONS[variant])
