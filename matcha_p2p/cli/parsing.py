"""Parses names of commands, bots and players, and addresses."""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from matcha_p2p.app.command.streams import writing
from matcha_p2p.cli.help import SpokenCommand
from matcha_p2p.language import Sentence, sentence_of

if TYPE_CHECKING:
    from matcha_p2p.transport.local.addresses import GivenPlace

_NO_COMMAND: Final = Sentence("There is no command {name!r}.")
_NEAR_COMMAND: Final = Sentence("There is no command {name!r}. Did you mean {near}?")
NO_TOPIC: Final = Sentence("There is no topic {name!r}. Topics: {topics}.")
_TOPICS: Final = Sentence("Topics of matcha help")
_NO_BOT: Final = Sentence("{name!r} is no bot. The bots are: {bots}.")

_ALONE: Final = Sentence("{name} is alone. Name two bots or more.")
_NO_VARIANT: Final = Sentence("{variant!r} is no variant. The variants are: {variants}.")

_NO_TABLE: Final = Sentence("The players of this game are {numbers}, not {number}.")

_NO_ELO: Final = Sentence("Only a match of Matcha stops by Elo points.")

_NO_SERVER: Final = Sentence("{text!r} is no server. Give {form}.")
_SERVER_FORMS: Final = {
    "stun": "stun.example.org, stun.example.org:3478",
    "socks": "127.0.0.1:9050",
}
_NO_PATH: Final = Sentence("The name of the file or folder is empty.")
_NO_FOLDER: Final = Sentence(
    "The system does not know where {folder!r} is. Give the whole path, from the root on."
)


class Commands(SpokenCommand, click.Group):
    """The commands; for an unknown command the nearest is suggested."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: object,
    ) -> click.Context:
        """Parse the command line; without a command, only help may be asked for."""
        with writing():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command of the command line."""
        with writing():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, then the topics."""
        super().format_commands(ctx, formatter)
        from matcha_p2p.cli.topics import titles

        with formatter.section(_TOPICS()):
            formatter.write_dl([*titles()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command.

        Raises:
            UsageError: the command is unknown; the sentence suggests a command.
        """
        if args[0] not in self.commands:
            from difflib import get_close_matches

            match get_close_matches(args[0], self.commands, n=1):
                case [near]:
                    raise click.UsageError(_NEAR_COMMAND(name=args[0], near=near), ctx)
                case _:
                    raise click.UsageError(_NO_COMMAND(name=args[0]), ctx)
        return super().resolve_command(ctx, args)


class GivenPath(click.Path):
    """A path; an empty one is refused, because Python takes "" for the current folder."""

    def convert(
        self,
        value: str | PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | PathLike[str]:
        """Return the path in ``value``."""
        if value == "":
            self.fail(_NO_PATH(), param, ctx)
        return super().convert(value, param, ctx)


class HomePath(GivenPath):
    """A folder, also in the form ~/NAME: in --home=~/NAME a shell keeps the ~."""

    def convert(
        self,
        value: str | PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | PathLike[str]:
        """Return the absolute path in ``value``."""
        try:
            whole = Path(value).expanduser().absolute() if value else value
        except (OSError, RuntimeError):  # no current folder, or no such user
            self.fail(_NO_FOLDER(folder=str(value)), param, ctx)
        return super().convert(whole, param, ctx)


def known_bot(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    """Accept the name of a bot, or cmd: and a program, or nothing.

    Without --game an invite, or a friend, may name another game than the usual one.
    """
    from matcha_p2p.app.bots.bot_names import is_known
    from matcha_p2p.games import USUAL, game_of, names

    given = ctx.params.get("game")
    game, games = given or USUAL, (given,) if given else names()
    if name is not None and not any(is_known(each, name) for each in games):
        known = ", ".join((*game_of(game).bots.names, "cmd:PROGRAM"))
        raise click.BadParameter(_NO_BOT(name=name, bots=known), ctx, param)
    return name


def opposing_bot(ctx: click.Context, param: click.Parameter, name: str | None) -> str:
    """Accept the name of a bot; without one, return the bot of the game's middle level."""
    from matcha_p2p.games import USUAL, usual_table

    return known_bot(ctx, param, name) or usual_table(ctx.params.get("game", USUAL)).bot


def known_variant(ctx: click.Context, param: click.Parameter, variant: str | None) -> str:
    """Accept a variant of the game that --game names; without one, return the usual variant."""
    from matcha_p2p.games import USUAL, game_of, usual_table

    game = ctx.params.get("game", USUAL)
    known = game_of(game).variants
    if variant is not None and variant not in known:
        wrong = _NO_VARIANT(variant=variant, variants=", ".join(known))
        raise click.BadParameter(wrong, ctx, param)
    return variant or usual_table(game).variant


def known_table(ctx: click.Context, param: click.Parameter, seats: int | None) -> int:
    """Accept a number of seats of the game that --game names; without one, the usual one."""
    from matcha_p2p.games import USUAL, game_of, usual_table

    game = ctx.params.get("game", USUAL)
    known = game_of(game).tables
    if seats is not None and seats not in known:
        wrong = _NO_TABLE(number=seats, numbers=", ".join(map(str, known)))
        raise click.BadParameter(wrong, ctx, param)
    return seats or usual_table(game).seats


def own_bot(ctx: click.Context, param: click.Parameter, name: str) -> str:
    """Accept the name of a bot of ours."""
    from matcha_p2p.games import USUAL, game_of

    known = game_of(ctx.params.get("game", USUAL)).bots.names
    if name not in known:
        raise click.BadParameter(_NO_BOT(name=name, bots=", ".join(known)), ctx, param)
    return name


def opposing_bots(
    ctx: click.Context, param: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    """Accept names of at least two bots."""
    if len(names) == 1:
        raise click.BadParameter(_ALONE(name=names[0]), ctx, param)
    for name in names:
        known_bot(ctx, param, name)
    return names


def elo_bounds(
    ctx: click.Context, param: click.Parameter, bounds: tuple[float, float] | None
) -> tuple[float, float] | None:
    """Accept two differences in Elo points for a match of Matcha, or nothing."""
    from matcha_p2p.games import USUAL

    if bounds is not None and ctx.params.get("game", USUAL) != USUAL:
        raise click.BadParameter(_NO_ELO(), ctx, param)
    return bounds


def fit_name(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    """Accept a player's name, or nothing."""
    from matcha_p2p.narration.names import refusal_of

    refusal = None if name is None else refusal_of(name)
    if refusal is not None:
        raise click.BadParameter(sentence_of(refusal), ctx, param)
    return name


def named_server(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """Accept the STUN server or SOCKS proxy of ``param``, or nothing."""
    from matcha_p2p.transport.servers import Named

    name = str(param.name)
    try:
        Named.of(**{name: text})
    except ValueError:
        from matcha_p2p.app.invite.given_places import NOT_ASCII

        said = _NO_SERVER(text=text, form=_SERVER_FORMS[name])
        if text is not None and not text.isascii():
            said = NOT_ASCII(text=text)
        raise click.BadParameter(said, ctx, param) from None
    return text


def parse_places(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> "tuple[GivenPlace, ...]":
    """Return where guests find this machine: all on this machine, or all elsewhere."""
    if not texts:
        return ()
    from matcha_p2p.app.invite.given_places import read_places
    from matcha_p2p.errors import InviteError

    try:
        return read_places(texts)
    except InviteError as error:
        raise click.BadParameter(sentence_of(error), ctx, param) from None
