"""The options of several commands, and their defaults from the settings."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import click
from click.core import ParameterSource

from matcha_p2p.cli import completion, parsing
from matcha_p2p.cli.help import option
from matcha_p2p.games import FOLDERS, USUAL, names, usual_table
from matcha_p2p.language import Sentence, sentence_of, speak, spoken
from matcha_p2p.store import setting_values

if TYPE_CHECKING:
    from matcha_p2p.store.settings import Settings

_BEFORE: Final = Sentence("Put {option} after the command: matcha {command} {option}")

F = TypeVar("F", bound=Callable[..., Any])

EDITIONS: Final = ("2015", "2020")
UIS: Final = ("auto", "full", "line")
SIGHTS: Final = ("nothing", "rounds", "moves")
VIEWS: Final = ("both", "public", "first", "second")
_PREFERRING: Final = ("host", "wait", "practice", "rules")
"""Commands that take the edition from the settings by default."""


class GameName(click.Choice[str]):
    """The name of a game. Other packages are looked into only for a name that is not ours."""

    def __init__(self) -> None:
        super().__init__(tuple(FOLDERS))

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the name ``value``."""
        if value not in self.choices:
            from matcha_p2p.games.installed import installed

            self.choices = tuple(names())
            for found in installed():
                if found.fault and found.name == value and value not in self.choices:
                    self.fail(sentence_of(found.fault), param, ctx)
        return super().convert(value, param, ctx)


FILE: Final = parsing.GivenPath(path_type=Path)
FOLDER: Final = parsing.GivenPath(path_type=Path, file_okay=False)
game_option = option(
    "--game",
    type=GameName(),
    default=USUAL,
    show_default=True,
    is_eager=True,  # the names of bots and of variants are the game's
)
edition_option = option(
    "--edition",
    "--variant",
    callback=parsing.known_variant,
    shell_complete=completion.variants,
    metavar="NAME",
    show_default="2015",
    help="The rules: of Matcha edition 2015 or 2020, of Tichu a game to 1000 or 300 points, "
    "or one round.",
)
players_option = option(
    "--players",
    "--seats",
    "seats",
    type=int,
    metavar="N",
    callback=parsing.known_table,
    help="How many play at the table: 3 or 4 of Kashi-ichi. [default: 3]",
)
board_option = option(
    "--board",
    type=FILE,
    metavar="FILE",
    help="Play Kashi-ichi on the board of this file; see matcha kashi check.",
)
home_option = option(
    "--home",
    type=parsing.HomePath(path_type=Path, file_okay=False),
    envvar="MATCHA_HOME",
    show_envvar=True,
    metavar="DIR",
    help="Keep all files in DIR.",
)
router_option = option(
    "--no-router",
    "router",
    flag_value="off",
    default="on",
    help="Leave the router alone: do not ask it to let guests in.",
)
stun_option = option(
    "--stun",
    metavar="HOST[:PORT]",
    callback=parsing.named_server,
    help="Ask this STUN server for your outside address. [default: none]",
)
socks_option = option(
    "--socks",
    metavar="HOST:PORT",
    callback=parsing.named_server,
    help="Dial only through this SOCKS proxy, for example Tor.",
)
watch_option = option(
    "--watch",
    type=click.IntRange(0, 32),
    metavar="N",
    help="If every player agrees, up to N people may watch: print a second invite for "
    "them. [default: 0]",
)
name_option = option(
    "--name", metavar="NAME", callback=parsing.fit_name, help="Your name at the table."
)


def person_options(work: F) -> F:
    """Add the display options."""
    for add in (
        option(
            "--hold",
            type=click.Choice(setting_values.HOLD),
            default="on",
            show_default=True,
            help="Of Tichu: whether the time for a bomb ends by itself.",
        ),
        option(
            "--passes",
            type=click.Choice(setting_values.PASSES),
            default="off",
            show_default=True,
            help="Of Tichu: whether the program passes for you where no card fits.",
        ),
        option(
            "--bell",
            type=click.Choice(setting_values.BELLS),
            help="When the bell rings: at your move, or at talk and offers too. "
            "[default: turn, and none line by line]",
        ),
        option(
            "--speed",
            type=click.Choice(setting_values.SPEEDS),
            default="normal",
            show_default=True,
            envvar="MATCHA_SPEED",
            help="How fast the full screen turns up cards. off: at once.",
        ),
        option(
            "--theme",
            type=click.Choice(setting_values.THEMES),
            default="dark",
            show_default=True,
            help="Colours for a dark or a light background, or with high contrast.",
        ),
        option(
            "--color",
            type=click.Choice(setting_values.COLOURS),
            default="auto",
            show_default=True,
            help="Colours. auto heeds NO_COLOR.",
        ),
        option("--ascii", is_flag=True, help="Draw only with ASCII characters."),
        option(
            "--icons",
            type=click.Choice(setting_values.ICONS),
            envvar="MATCHA_ICONS",
            help="How suits are drawn. [default: symbol; kanji in Japanese]",
        ),
        option(
            "--ui",
            type=click.Choice(UIS),
            default="auto",
            show_default=True,
            envvar="MATCHA_UI",
            help="A full screen, or line by line.",
        ),
    ):
        add(work)
    return work


def seat_options(work: F) -> F:
    """Add the options that host and join share."""
    for add in (
        option("--seed", type=int, hidden=True),  # of the bot's choices, for the demo
        option("--at-once", is_flag=True, hidden=True),  # no answer takes time, for the demo
        option(
            "--patience",
            type=click.FloatRange(0),
            metavar="SECONDS",
            help="How many seconds to wait for a lost peer, or a move. [default: for ever; a "
            "bot, 600]",
        ),
        option(
            "--watchers-see",
            type=click.Choice(SIGHTS),
            default="rounds",
            show_default=True,
            help="What watchers see: nothing, each round when it is over, or each move at "
            "once. They see what all players allow.",
        ),
        option(
            "--open-book", is_flag=True, help="Show all cards after the game, if both want to."
        ),
        option(
            "--play",
            "bot",
            metavar="BOT",
            callback=parsing.known_bot,
            shell_complete=completion.bots,
            help="Let a bot play this seat; cmd:PROGRAM runs a bot of your own.",
        ),
        option(
            "--no-remember",
            "remember",
            flag_value="off",
            default="on",
            help="Show no key, and remember no player.",
        ),
        name_option,
    ):
        add(work)
    return person_options(work)


def refuse_options(ctx: click.Context) -> None:
    """Refuse options before a command that ignores them, except language and home."""
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        reaches = param.is_eager or param.name == "home"
        if source is ParameterSource.COMMANDLINE and not reaches:
            where = _BEFORE(option=param.opts[-1], command=ctx.invoked_subcommand)
            raise click.UsageError(where, ctx)


def home_of(ctx: click.Context, home: Path | None) -> Path | None:
    """Return the home given after the command's name, or before, or by the environment."""
    given = ctx.get_parameter_source("home") is ParameterSource.COMMANDLINE
    if given or ctx.parent is None:
        return home
    return cast("Path | None", ctx.parent.params.get("home"))


def typed_again(ctx: click.Context) -> tuple[str, ...]:
    """Return the typed options of this command that ``resume`` knows too.

    A game that is left goes on with them. The home has a name of its own, and who insists on an
    older copy says so each time.
    """
    resume = cast("click.Group", ctx.find_root().command).commands["resume"]
    known = {param.opts[0] for param in resume.params} - {"--home", "--older"}
    words = list[str]()
    for param in ctx.command.params:
        name, word = param.name or "", param.opts[0]
        typed = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if isinstance(param, click.Option) and word in known and typed:
            # The language, which is spoken already, is no parameter of a command's body.
            words += [word] if param.is_flag else [word, str(ctx.params.get(name, spoken()))]
    return tuple(words)


def is_default(ctx: click.Context, name: str) -> bool:
    """Tell whether an option was given neither by hand nor by the environment."""
    return ctx.get_parameter_source(name) is ParameterSource.DEFAULT


def from_settings(
    ctx: click.Context, settings: "Settings", options: dict[str, object]
) -> dict[str, str]:
    """Return the values of ``settings`` for all ``options`` that are not given.

    The game of the settings moves the cursor of the menu only: all options of the command line
    were checked against the game that the command line names.
    """
    values = settings.options()
    values.pop("game", None)
    edition = values.pop("edition", None)
    if edition is not None and ctx.info_name in _PREFERRING:
        values["edition"] = usual_table(ctx.params["game"], edition).variant
    return {
        key: value for key, value in values.items() if key in options and is_default(ctx, key)
    }


def speak_as_settled(ctx: click.Context, settings: "Settings") -> None:
    """Unless --lang or MATCHA_LANG is given, speak the language of ``settings``."""
    contexts = (ctx,) if ctx.parent is None else (ctx, ctx.parent)
    asked = not all(is_default(each, "lang") for each in contexts)
    if settings.lang is not None and not asked and not os.environ.get("MATCHA_LANG"):
        speak(settings.lang)
