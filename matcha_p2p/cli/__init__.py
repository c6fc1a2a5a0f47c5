"""The commands: what they are called and take. What they need is imported when they run.

With --json each prints objects, one a line, ``{"v":1,"event":...}``. The events, each with its
fields, to which later versions may add:

    invite       invite
    waiting      port; why: of the last guest who went before the game began, or null
    connected
    resumed      game (id, hex), seat (our own)
    taken-up     hand: a resumed game goes on
    line         state (up, quiet, down), why
    met          game (id, hex), edition, names (by seat), seat (our own)
    shuffled     seat, label (mix, deal or own)
    table        set, dealer, table (six cards), zeros_met
    dealt
    hand         cards (our own, by slot)
    due          moves: what we may do, as "2b" (card 2 to mat b), "p" (pass), "k14" (keep 1, 4)
    placed       seat, mat, card (null if it is not our own)
    passed       seat, auto
    round        number, mats (mat, cards, laid, revealed, gain), tokens
    kept         counts
    talk         text
    exposed      seat
    result       winner, how, tokens
    transcript   path
    evidence     path, check, entry
    interrupted  why, journal
    verdict      file, verdict, valid, waiting, checks; check, entry, seat, message if not valid
    score        of an arena: bots, games, wins, losses, draws, win_rate, interval ...
    game         of an export: game
    peer         of a demo: seat, said (what that peer has printed)
    error        exit, code, message
"""

import sys
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial, wraps
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack

import click

if TYPE_CHECKING:
    from matcha_p2p.cli.home import Home
    from matcha_p2p.cli.output import Output
    from matcha_p2p.cli.sitting import Wishes
    from matcha_p2p.transport.invite import Address

EDITIONS: Final = ("2015", "2020")
UIS: Final = ("auto", "full", "line")
ICONS: Final = ("plain", "symbol", "kanji")
COLOURS: Final = ("auto", "always", "never")
_HELP: Final = {"help_option_names": ["-h", "--help"]}


class _Group(click.Group):
    """Commands; one that is not there gets a suggestion."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.commands:
            near = "".join(f" Did you mean {name}?" for name in self._near(args[0]))
            raise click.UsageError(f"There is no command {args[0]!r}.{near}", ctx)
        return super().resolve_command(ctx, args)

    def _near(self, name: str) -> list[str]:
        return get_close_matches(name, self.commands, n=1)


def _known_bot(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    from matcha_p2p.bots import BOTS

    if name is not None and name not in BOTS:
        raise click.BadParameter(f"{name!r} is none of: {', '.join(BOTS)}.", ctx, param)
    return name


def _known_bots(
    ctx: click.Context, param: click.Parameter, names: tuple[str, ...]
) -> tuple[str, ...]:
    for name in names:
        _known_bot(ctx, param, name)
    return names


def _fit_name(ctx: click.Context, param: click.Parameter, name: str | None) -> str | None:
    from matcha_p2p.errors import EncodingError
    from matcha_p2p.wire.text import check_name

    try:
        if name is not None:
            check_name(name)
    except (EncodingError, UnicodeError) as error:
        raise click.BadParameter(f"Nobody can be called so: {error}.", ctx, param) from None
    return name


def _addresses(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> "tuple[Address, ...]":
    try:
        return tuple(map(ip_address, texts))
    except ValueError as error:
        raise click.BadParameter(f"{error}.", ctx, param) from None


_FILE: Final = click.Path(path_type=Path)
_edition = click.option(
    "--edition", type=click.Choice(EDITIONS), default="2015", show_default=True
)
_name = click.option(
    "--name", metavar="NAME", callback=_fit_name, help="Your name at the table."
)


@click.group(cls=_Group, context_settings=_HELP, invoke_without_command=True)
@click.version_option(
    None, "-V", "--version", package_name="matcha-p2p", message="matcha %(version)s"
)
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Matcha, David Harding's bluffing card game for two: peer to peer, no server, no trust."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        ctx.exit(2)


def _command(work: Callable[..., int]) -> click.Command:
    """Make a command of ``work(out, home, ...)``, which returns the exit code."""

    @click.option("--json", "facts", is_flag=True, help="Print JSON objects, one a line.")
    @click.option(
        "--home",
        type=_FILE,
        envvar="MATCHA_HOME",
        show_envvar=True,
        metavar="DIR",
        help="Keep all files under DIR.",
    )
    @wraps(work)
    def run(*, facts: bool, home: Path | None, **options: object) -> None:
        from matcha_p2p.cli.home import Home
        from matcha_p2p.cli.outcomes import perform
        from matcha_p2p.cli.output import Output

        out = Output(facts=facts)
        found = Home.find(home)
        sys.exit(perform(out, found, partial(work, out, found, **options)))

    return commands.command()(run)


def _person_options(work: Callable[..., int]) -> Callable[..., int]:
    """Add how a person sees the game."""
    for option in (
        click.option(
            "--color",
            type=click.Choice(COLOURS),
            default="auto",
            show_default=True,
            help="Colours. auto heeds NO_COLOR.",
        ),
        click.option("--ascii", is_flag=True, help="Draw with ASCII characters alone."),
        click.option(
            "--icons",
            type=click.Choice(ICONS),
            default="symbol",
            show_default=True,
            envvar="MATCHA_ICONS",
            help="How suits are drawn.",
        ),
        click.option(
            "--ui",
            type=click.Choice(UIS),
            default="auto",
            show_default=True,
            envvar="MATCHA_UI",
            help="A full screen, or line by line.",
        ),
    ):
        option(work)
    return work


def _seat_options(work: Callable[..., int]) -> Callable[..., int]:
    """Add what host and join have in common."""
    for option in (
        click.option("--seed", type=int, hidden=True),  # of the bot's choices, for the demo
        click.option(
            "--patience",
            type=click.FloatRange(0),
            metavar="SECONDS",
            help="Wait so long for a peer that is lost. [default: for ever; a bot, 600]",
        ),
        click.option(
            "--open-book", is_flag=True, help="Show all cards after the game, if both want to."
        ),
        click.option(
            "--play",
            "bot",
            metavar="BOT",
            callback=_known_bot,
            help="Let a bot play this seat.",
        ),
        _name,
    ):
        option(work)
    return _person_options(work)


@_command
@_edition
@click.option(
    "--address",
    "addresses",
    multiple=True,
    metavar="IP",
    callback=_addresses,
    help="Where guests reach you, if not at this machine's own addresses. May be repeated.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="The port to wait on. [default: 4717, or the next free one]",
)
@_seat_options
def host(
    out: "Output",
    home: "Home",
    *,
    addresses: "tuple[Address, ...]",
    port: int | None,
    **wishes: "Unpack[Wishes]",
) -> int:
    """Open a table, print the invite, and wait."""
    from matcha_p2p.cli import hosting
    from matcha_p2p.cli.sitting import sit_down, stdin_keyboard

    return hosting.run(sit_down(out, home, wishes, stdin_keyboard()), addresses, port)


@_command
@click.argument("invite", required=False, envvar="MATCHA_INVITE")
@click.option("--edition", type=click.Choice(EDITIONS), help="Decline any other edition.")
@_seat_options
def join(out: "Output", home: "Home", *, invite: str | None, **wishes: "Unpack[Wishes]") -> int:
    """Play with whoever sent you INVITE.

    INVITE is the string that host prints; - reads it from standard input. Without it, the
    variable MATCHA_INVITE is looked at, or you are asked.
    """
    from matcha_p2p.cli import joining
    from matcha_p2p.cli.sitting import sit_down, stdin_keyboard, terminal_keyboard

    if invite == "-":
        text, keyboard = joining.read_invite(sys.stdin.buffer), terminal_keyboard()
    else:
        keyboard = stdin_keyboard()
        text = joining.ask_invite(out, keyboard) if invite is None else invite
    return joining.run(sit_down(out, home, wishes, keyboard), text)


@_command
@click.argument("game", required=False)
@_seat_options
def resume(out: "Output", home: "Home", *, game: str | None, **wishes: "Unpack[Wishes]") -> int:
    """Go on with an unfinished GAME, by default the latest one.

    The other player does the same, or is waiting still; either finds the other where both were.
    """
    from matcha_p2p.cli import resuming
    from matcha_p2p.cli.sitting import sit_down, stdin_keyboard

    return resuming.run(sit_down(out, home, wishes, stdin_keyboard()), game)


@_command
@click.argument("game", required=False)
def claim(out: "Output", home: "Home", *, game: str | None) -> int:
    """State that the other player of an unfinished GAME has stayed away."""
    from matcha_p2p.cli import claiming

    return claiming.run(out, home, game)


@_command
@_edition
@click.option(
    "--bot",
    "opponent",
    metavar="BOT",
    default="greedy",
    show_default=True,
    callback=_known_bot,
)
@_name
@click.option("--seed", "luck", type=int, help="Make the bot's choices repeatable.")
@_person_options
def practice(
    out: "Output", home: "Home", *, opponent: str, luck: int | None, **wishes: "Unpack[Wishes]"
) -> int:
    """Play against a bot, through the whole protocol."""
    from matcha_p2p.cli import practising
    from matcha_p2p.cli.sitting import sit_down, stdin_keyboard

    return practising.run(sit_down(out, home, wishes, stdin_keyboard()), opponent, luck)


@_command
@_edition
@click.option("--seed", type=int, help="Make the bots' choices repeatable; the deal never is.")
@click.pass_context
def demo(
    ctx: click.Context, out: "Output", _home: "Home", *, edition: str, seed: int | None
) -> int:
    """Let two bots play over loopback, and a third process verify the game."""
    from matcha_p2p.cli import demonstration

    return demonstration.run(out, edition, seed, ctx.params["home"])


@_command
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
def verify(out: "Output", _home: "Home", *, files: tuple[Path, ...]) -> int:
    """Judge transcripts: who played, who won, and who broke which check."""
    from matcha_p2p.cli import verifying

    return verifying.run(out, files)


@_command
@click.argument("file", type=_FILE)
@click.option("--format", "_format", type=click.Choice(["json"]), required=True)
def export(out: "Output", _home: "Home", *, file: Path, _format: str) -> int:
    """Print one game, move by move, for other programs."""
    from matcha_p2p.cli import exporting

    return exporting.run(out, file)


@_command
@click.argument("bots", nargs=2, callback=_known_bots, metavar="BOT BOT")
@click.option("--games", type=click.IntRange(1), required=True, metavar="N")
@_edition
@click.option("--seed", type=int, help="Make the games repeatable.")
def arena(
    out: "Output",
    _home: "Home",
    *,
    bots: tuple[str, str],
    games: int,
    edition: str,
    seed: int | None,
) -> int:
    """Let bots play many games without cryptography, and count."""
    from matcha_p2p.cli import matches

    return matches.run(out, bots, games, edition, seed)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:  # a name may have letters that the terminal has not
            reconfigure(errors="backslashreplace")
    commands(prog_name="matcha")
