"""The commands, their arguments and options. A command imports its modules when run.

``facts`` lists the --json events.
"""

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Final, Unpack, cast

import click

from matcha_p2p.app.command.streams import complaining, open_streams
from matcha_p2p.cli import completion, parsing
from matcha_p2p.cli import options as cli_options
from matcha_p2p.cli.help import SpokenCommand, language_option, option, version_option
from matcha_p2p.games import usual_table

if TYPE_CHECKING:
    from matcha_p2p.app.bots.arena import MatchOptions
    from matcha_p2p.app.command.front_end import DisplayOptions
    from matcha_p2p.app.command.output import Output
    from matcha_p2p.app.game.run_game import SeatSetup
    from matcha_p2p.app.game.seat import SeatOptions, TableOptions
    from matcha_p2p.errors import SettingsError
    from matcha_p2p.store.home import Home
    from matcha_p2p.store.settings import Settings
    from matcha_p2p.transport.local.addresses import GivenPlace

_COLLECTIONS: Final = (100_000, 20, 100)
"""Objects between two searches for garbage, and how many searches until a deeper search.

With Python's defaults, the searches go through all imported objects again and again: a tenth of
the time to the first screen. Our own objects have few cycles; all other objects are freed
without a search. Once a screen stands, the searches are more and shorter.
"""

_HELP: Final = {"help_option_names": ["-h", "--help"]}


@click.group(cls=parsing.Commands, context_settings=_HELP, invoke_without_command=True)
@version_option
@cli_options.home_option
@cli_options.person_options
@language_option
@click.pass_context
def commands(
    ctx: click.Context, /, home: Path | None, **display: "Unpack[DisplayOptions]"
) -> None:
    """Matcha for two, Tichu for four, Kashi-ichi for three or four: no server, no trust.

    Without a command, a menu opens; the options apply to the menu.
    """
    if ctx.invoked_subcommand is not None:
        cli_options.refuse_options(ctx)
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()) and display.get("ui") != "line":
        click.echo(ctx.get_help())
        ctx.exit(2)
    from matcha_p2p.app.command.outcomes import perform
    from matcha_p2p.app.command.output import Output
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard
    from matcha_p2p.store.home import Home

    given = {
        key: value for key, value in display.items() if not cli_options.is_default(ctx, key)
    }
    out = Output(facts=False)

    def enter() -> int:
        from matcha_p2p.app.menu import start as entrance

        found = Home.find(home)
        _settings_of(ctx, found)
        work = partial(entrance.run, found, cast("DisplayOptions", given), stdin_keyboard())
        return perform(out, found, work)

    sys.exit(perform(out, None, enter))


def _home_if_known(ctx: click.Context, home: Path | None) -> "Home | None":
    """Return the home of a command that works without one."""
    from matcha_p2p.errors import HomeError
    from matcha_p2p.store.home import Home

    try:
        return Home.find(cli_options.home_of(ctx, home))
    except HomeError:
        return None


def _settings_of(
    ctx: click.Context, home: "Home | None"
) -> "tuple[Settings, tuple[SettingsError, ...]]":
    """Return the settings of ``home``, and the faults; from now on speak their language."""
    from matcha_p2p.store.settings import Settings, read_settings

    settings, wrong = (Settings(), ()) if home is None else read_settings(home.config)
    cli_options.speak_as_settled(ctx, settings)
    return settings, wrong


def _command(work: Callable[..., int]) -> click.Command:
    """Make a command of ``work(out, home, ...)``, which returns the exit code."""

    def find(ctx: click.Context, home: Path | None) -> "Home":
        from matcha_p2p.store.home import Home

        return Home.find(cli_options.home_of(ctx, home))

    return _made(work, find)


def _command_without_home(work: Callable[..., int]) -> click.Command:
    """Make a command of ``work(out, ...)``, which returns the exit code and needs no home.

    If a home is known, the command takes the settings from there.
    """

    @wraps(work)
    def without_home(out: "Output", _home: "Home | None", **options: object) -> int:
        return work(out, **options)

    return _made(without_home, _home_if_known)


def _made(
    work: Callable[..., int],
    find_home: "Callable[[click.Context, Path | None], Home | None]",
) -> click.Command:
    """Make a command of ``work(out, home, ...)``. find_home: from the option --home."""

    @option("--json", "facts", is_flag=True, help="Print JSON objects, one a line.")
    @cli_options.home_option
    @language_option
    @click.pass_context
    @wraps(work)
    def run(
        ctx: click.Context, /, *, facts: bool, home: Path | None, **options: object
    ) -> None:
        from matcha_p2p.app.command.outcomes import perform
        from matcha_p2p.app.command.output import Output

        out = Output(facts=facts)

        def begin() -> int:
            found = find_home(ctx, home)
            if found is not None:
                found = replace(found, typed=cli_options.typed_again(ctx))
            settings, wrong = _settings_of(ctx, found)
            for fault in wrong:
                out.warn(out.sentence_of(fault))
            given = options | cli_options.from_settings(ctx, settings, options)
            return perform(out, found, partial(work, out, found, **given))

        sys.exit(perform(out, None, begin))

    return commands.command(cls=SpokenCommand)(run)


@_command
@cli_options.game_option
@cli_options.edition_option
@cli_options.players_option
@cli_options.board_option
@option(
    "--address",
    "places",
    multiple=True,
    metavar="ADDRESS",
    callback=parsing.parse_places,
    help="Another address or name where guests reach you, with :PORT if the port differs. May "
    "be repeated; 127.0.0.1 alone keeps the game on this machine.",
)
@option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="The port to wait on. [default: 4717, or the next free one]",
)
@option(
    "--no-announce",
    "announce",
    flag_value="off",
    default="on",
    help="Hide your table from this network.",
)
@cli_options.watch_option
@cli_options.router_option
@cli_options.stun_option
@cli_options.seat_options
def host(
    out: "Output",
    home: "Home",
    *,
    places: "tuple[GivenPlace, ...]",
    port: int | None,
    announce: str,
    router: str,
    **options: "Unpack[TableOptions]",
) -> int:
    """Open a table, print the invite, and wait.

    A guest on the same network needs no invite: you let the guest in and tell a code. At a
    table of three or four the invite is for all guests, and you begin; bots can fill seats.
    """
    from matcha_p2p.app.game.seat import open_asker, set_up_seat
    from matcha_p2p.app.invite import host
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard
    from matcha_p2p.transport.servers import Named

    keyboard = stdin_keyboard()
    setup = set_up_seat(out, home, options, keyboard)
    attended = setup.terms.stays and not out.facts and keyboard.echoes
    wish = host.HostWish(
        places,
        port,
        router == "on",
        announce == "on" and attended,
        answers=keyboard.echoes or not setup.terms.stays,
        stun=Named.of(options.get("stun")).stun,
    )
    return host.run(setup, open_asker(out, options, keyboard), wish)


@_command
@click.argument("invite", required=False, envvar="MATCHA_INVITE")
@option(
    "--edition", type=click.Choice(cli_options.EDITIONS), help="Decline every other edition."
)
@option(
    "--address",
    "places",
    multiple=True,
    metavar="ADDRESS",
    callback=parsing.parse_places,
    help="The outside address of your router, for the answer code: an address or a name, with "
    ":PORT if the port differs. May be repeated.",
)
@cli_options.router_option
@cli_options.stun_option
@cli_options.socks_option
@cli_options.seat_options
def join(
    out: "Output",
    home: "Home",
    *,
    invite: str | None,
    places: "tuple[GivenPlace, ...]",
    router: str,
    **options: "Unpack[SeatOptions]",
) -> int:
    """Play with the host that sent you INVITE.

    INVITE is the text that host prints; - reads it from standard input. Without INVITE, the
    variable MATCHA_INVITE is read; without both, you choose from the tables of this network.
    """
    from matcha_p2p.app.bots import bot_names
    from matcha_p2p.app.game.seat import open_asker, set_up_seat
    from matcha_p2p.app.invite import join
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard, terminal_keyboard
    from matcha_p2p.transport.servers import Named

    keyboard = terminal_keyboard() if invite == "-" else stdin_keyboard()
    text = join.read_invite(sys.stdin.buffer) if invite == "-" else invite
    usual = usual_table(bot_names.game_of_bot(options.get("bot")))  # until the lobby says which
    table: TableOptions = {**options, "game": usual.game, "seats": usual.seats}
    setup = set_up_seat(out, home, table, keyboard)
    ask = open_asker(out, options, keyboard)
    wish = join.JoinWish(
        asks=keyboard.echoes and setup.terms.stays and not out.facts,
        near=keyboard.echoes,
        router=router == "on",
        places=places,
        servers=Named.of(options.get("stun"), options.get("socks")),
    )
    return join.run(setup, ask, text, wish)


@_command
@click.argument("invite", required=False, envvar="MATCHA_INVITE")
@cli_options.socks_option
@cli_options.name_option
@cli_options.person_options
def watch(
    out: "Output",
    home: "Home",
    *,
    invite: str | None,
    socks: str | None,
    name: str | None,
    **display: "Unpack[DisplayOptions]",
) -> int:
    """Watch the game of other players, with the INVITE to watch from its host.

    You see each round when it is over, or each move at once if all players allow it. Your own
    program verifies everything. - reads INVITE from standard input.
    """
    from matcha_p2p.app.command.front_end import asker_for, look_for
    from matcha_p2p.app.invite import join
    from matcha_p2p.app.watching import watch
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard, terminal_keyboard
    from matcha_p2p.store.settings import login_name
    from matcha_p2p.transport.servers import Named

    keyboard = terminal_keyboard() if invite == "-" else stdin_keyboard()
    text = join.read_invite(sys.stdin.buffer) if invite == "-" else invite
    ask = partial(asker_for, out, display, keyboard)
    look = look_for(out, display)
    wish = watch.WatchWish.of(text, Named.of(socks=socks).proxy)
    return watch.run(out, home, name or login_name(), ask, look, wish)


@_command
@click.argument("game", required=False, shell_complete=completion.unfinished)
@option("--older", is_flag=True, help="Go on even if the game's folder is an older copy.")
@cli_options.router_option
@cli_options.socks_option
@option(
    "--no-socks",
    "openly",
    is_flag=True,
    help="Go on without the SOCKS proxy of the game: the other players learn your addresses.",
)
@cli_options.seat_options
def resume(
    out: "Output",
    home: "Home",
    *,
    game: str | None,
    older: bool,
    openly: bool,
    router: str,
    **options: "Unpack[SeatOptions]",
) -> int:
    """Go on with an unfinished GAME, by default the latest one.

    All other players do the same, or still wait. The programs meet where they last were. A
    game that you joined through a proxy goes on through the proxy.
    """
    from matcha_p2p.app.game import resume
    from matcha_p2p.app.game.seat import set_up_seat
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard
    from matcha_p2p.transport.servers import Named

    keyboard = stdin_keyboard()

    def set_up(kind: str, seats: int) -> "SeatSetup":
        return set_up_seat(out, home, {**options, "game": kind, "seats": seats}, keyboard)

    proxy = Named.of(socks=options.get("socks")).proxy
    wish = resume.ResumeWish(older, router == "on", proxy, openly)
    return resume.run(home, set_up, game, wish)


@_command
@click.argument("game", required=False, shell_complete=completion.unfinished)
def claim(out: "Output", home: "Home", *, game: str | None) -> int:
    """State that a player of an unfinished GAME has not come back."""
    from matcha_p2p.app.game import claim

    return claim.run(out, home, game)


@_command
@cli_options.game_option
@cli_options.edition_option
@option(
    "--bot",
    "opponent",
    metavar="BOT",
    show_default="club",
    callback=parsing.opposing_bot,
    shell_complete=completion.bots,
    help="From easy to hard: beginner, casual, club, keen, expert. Tichu ends at keen; "
    "Kashi-ichi has beginner, club and keen. Of Matcha also keen-careful, keen-bold, "
    "expert-careful, expert-bold.",
)
@cli_options.players_option
@cli_options.board_option
@cli_options.name_option
@option("--seed", type=int, help="Make the bot's choices repeatable.")
@option(
    "--no-banter",
    "banter",
    flag_value="off",
    default="on",
    help="Keep the bot silent at the table.",
)
@cli_options.person_options
def practice(
    out: "Output",
    home: "Home",
    *,
    game: str,
    opponent: str,
    seats: int,
    banter: str,
    **options: "Unpack[SeatOptions]",
) -> int:
    """Play against bots, through the whole protocol, with hints and undo."""
    from matcha_p2p.app.game.seat import set_up_seat
    from matcha_p2p.app.practice import practice
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard

    advise = practice.adviser(game)
    table: TableOptions = {**options, "game": game, "seats": seats}
    person = set_up_seat(out, home, table, stdin_keyboard(), advise)
    return practice.run(person, opponent, options.get("seed"), seats, talks=banter != "off")


@commands.command("help", cls=SpokenCommand)
@click.argument("topic", required=False, shell_complete=completion.topics)
@cli_options.home_option
@language_option
@click.pass_context
def tell(ctx: click.Context, /, topic: str | None, home: Path | None) -> None:
    """List commands and topics, or explain TOPIC, the name of either."""
    from matcha_p2p.cli.topics import TOPICS, page

    _settings_of(ctx, _home_if_known(ctx, home))
    group = cast("click.Context", ctx.parent)
    if topic is None:
        click.echo(group.get_help())
    elif topic in TOPICS:
        click.echo(page(topic, ctx.make_formatter()), nl=False)
    elif topic in commands.commands:
        command = commands.commands[topic]
        with command.make_context(topic, [], group, resilient_parsing=True) as described:
            click.echo(command.get_help(described))
    else:
        known = ", ".join(TOPICS)
        raise click.UsageError(parsing.NO_TOPIC(name=topic, topics=known), ctx)


@_command_without_home
@option(
    "--ask",
    "invite",
    metavar="INVITE",
    help="Knock at the addresses of a friend's INVITE, without a game.",
)
@cli_options.stun_option
@cli_options.socks_option
def doctor(out: "Output", *, invite: str | None, stun: str | None, socks: str | None) -> int:
    """Show who can reach this machine, and what the router does.

    Only the router and this network are asked, and the places that you name: with --ask, each
    address of the invite; with --stun and --socks, these servers.
    """
    from matcha_p2p.app.invite import doctor as examination
    from matcha_p2p.transport.servers import Named

    return examination.run(out, invite, Named.of(stun, socks))


@_command_without_home
@cli_options.game_option
@cli_options.edition_option
@cli_options.players_option
@option(
    "--seed", type=int, help="Make the bots' choices repeatable. The deal is new each time."
)
@click.pass_context
def demo(ctx: click.Context, /, out: "Output", **options: "Unpack[TableOptions]") -> int:
    """Let bots play over loopback, one a process, and another process verify the game."""
    from matcha_p2p.app.bots import demo as demonstration

    folder = cli_options.home_of(ctx, ctx.params["home"])
    table = (ctx.params["game"], ctx.params["seats"])
    return demonstration.run(
        out, str(options.get("edition")), options.get("seed"), folder, table
    )


@_command
@click.argument(
    "friends", metavar="NAME...", nargs=-1, required=True, shell_complete=completion.friends
)
@option(
    "--game",
    type=cli_options.GameName(),
    is_eager=True,  # the names of bots are the game's
    help="Decline every other game; for a table of yours, choose the game.",
)
@option(
    "--edition", type=click.Choice(cli_options.EDITIONS), help="Decline every other edition."
)
@cli_options.watch_option
@cli_options.router_option
@cli_options.socks_option
@cli_options.seat_options
def call(
    out: "Output",
    home: "Home",
    *,
    friends: Sequence[str],
    game: str | None,
    router: str,
    **options: "Unpack[SeatOptions]",
) -> int:
    """Play again with a friend who waits; no invite is needed.

    The program looks for the friend on this network, and where you last played. First you
    need a game played to its end, or compared words.

    With two names or three you open a table, and all of them are called. If you have played
    together, it is the game of the last time, and all sit in the same order. You begin.
    """
    from matcha_p2p.app.bots import bot_names
    from matcha_p2p.app.friends import call, groups, wait
    from matcha_p2p.app.game.seat import open_asker, set_up_seat
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard
    from matcha_p2p.transport.servers import Named

    keyboard = stdin_keyboard()
    ask = open_asker(out, options, keyboard)
    proxy = Named.of(socks=options.get("socks")).proxy
    if len(friends) > 1:
        groups.see_it_listens(proxy)
        name, variant, seats, called = groups.table_to_call(home, friends, game)
        table: TableOptions = {**options, "game": name, "edition": variant, "seats": seats}
        setup = set_up_seat(out, home, table, keyboard)
        return wait.run(setup, ask, wait.WaitWish(router=router == "on"), called)
    usual = usual_table(game or bot_names.game_of_bot(options.get("bot")))
    table = {**options, "game": usual.game, "seats": usual.seats}
    setup = set_up_seat(out, home, table, keyboard)
    return call.run(setup, ask, friends[0], call.CallWish(router == "on", proxy, game))


@_command
@cli_options.game_option
@cli_options.edition_option
@cli_options.players_option
@cli_options.board_option
@cli_options.watch_option
@cli_options.router_option
@cli_options.seat_options
def wait(out: "Output", home: "Home", *, router: str, **options: "Unpack[TableOptions]") -> int:
    """Wait until a friend calls, and play.

    A friend has played a game with you to its end, or compared words; strangers get no answer.
    At a table of three or four each friend who calls gets a seat, and you begin. If a friend
    calls you to a table, you sit down there.

    For an hour the program dials friends who were last on the internet now and then, so that
    their call gets through your router.
    """
    from matcha_p2p.app.friends import wait
    from matcha_p2p.app.game.seat import open_asker, set_up_seat
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard

    keyboard = stdin_keyboard()
    setup = set_up_seat(out, home, options, keyboard)
    wish = wait.WaitWish(router=router == "on")
    return wait.run(setup, open_asker(out, options, keyboard), wish)


@_command
def me(out: "Output", home: "Home") -> int:
    """Show your key: six words, by which a friend makes sure that it is you.

    Players who have met you recognise you by your key. A new home has a new key.
    """
    from matcha_p2p.app.friends import friends as people

    return people.show_own_key(out, home)


@_command
@option(
    "--compared",
    metavar="NAME",
    shell_complete=completion.friends,
    help="You compared the six words of this player, as matcha me shows them there.",
)
@option(
    "--forget",
    metavar="NAME",
    shell_complete=completion.friends,
    help="Forget this player, and the secret that you share.",
)
@option(
    "--rename",
    nargs=2,
    metavar="NAME NEW",
    shell_complete=completion.friends,
    help="Give a player another name.",
)
def friends(
    out: "Output",
    home: "Home",
    *,
    compared: str | None,
    forget: str | None,
    rename: tuple[str, str] | None,
) -> int:
    """List the players whom you have met, with the score.

    A game of three or four counts with each player, by your own result.

    This is your own record, by the players' keys. It proves nothing to others; transcripts do.
    "Left unfinished" counts the games that stopped at a player's turn and never went on.
    """
    from matcha_p2p.app.friends import friends as people

    if compared is not None:
        return people.compare(out, home, compared)
    if forget is not None:
        return people.forget(out, home, forget)
    if rename is not None:
        return people.rename(out, home, *rename)
    return people.show(out, home)


@_command_without_home
@click.argument("files", nargs=-1, required=True, type=cli_options.FILE, metavar="FILE...")
@option("-v", "--verbose", is_flag=True, help="Also list the checks that the file passed.")
def verify(out: "Output", *, files: tuple[Path, ...], verbose: bool) -> int:
    """Judge transcripts: who played, who won, and which player broke a check.

    FILE may be a folder, which is searched for transcripts, or -: names from standard input.
    """
    from matcha_p2p.app.library import verify

    return verify.run(out, files, verbose=verbose)


@_command
@click.argument("file", required=False, type=cli_options.FILE)
@option("--format", "form", type=click.Choice(["json", "text"]), required=True)
def export(out: "Output", home: "Home", *, file: Path | None, form: str) -> int:
    """Print one game as JSON or text, move by move.

    The text reads like the score of a chess game; protocol/notation.md explains it.

    Without FILE, your latest finished game is taken.
    """
    from matcha_p2p.app.library import export, named_files

    return export.run(out, named_files.named_or_latest(out, home, file), form)


@_command
@click.argument("file", required=False, type=cli_options.FILE)
def analyse(out: "Output", home: "Home", *, file: Path | None) -> int:
    """Judge the decisions in a finished game: accuracy, mistakes, blunders.

    Your own cards are known if the game is in your home; another player's cards, if the player
    opened the book. In Kashi-ichi no card is hidden: your turns are judged, or the turns of all
    if you did not play.

    Without FILE, your latest finished game is taken.
    """
    from matcha_p2p.app.library import analyse, named_files

    return analyse.run(out, home, named_files.named_or_latest(out, home, file))


@_command
@click.argument("file", required=False, type=cli_options.FILE)
@option(
    "--view",
    type=click.Choice(cli_options.VIEWS),
    default="both",
    show_default=True,
    help="Whose view to show: all that the file opens, an onlooker's, or a seat's.",
)
@option(
    "--from",
    "start",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Begin at step N.",
)
@cli_options.person_options
def replay(
    out: "Output",
    home: "Home",
    *,
    file: Path | None,
    view: str,
    start: int,
    **display: "Unpack[DisplayOptions]",
) -> int:
    """Look at the game in FILE step by step, after a check that it is valid.

    Line by line, everything is printed at once. For other programs, use export.

    Without FILE, your latest finished game is taken.
    """
    from matcha_p2p.app.library import named_files, replay

    chosen = named_files.named_or_latest(out, home, file)
    return replay.run(out, home, chosen, view, start, **display)


@_command
@click.argument("files", nargs=-1, type=cli_options.FILE, metavar="[FILE]...")
@option(
    "--output",
    "folder",
    type=cli_options.FOLDER,
    default=".",
    metavar="FOLDER",
    help="The folder for the pages, by default this folder.",
)
@option(
    "--analyse",
    "judges",
    is_flag=True,
    help="Judge the decisions too: the page steps from mistake to mistake. Of your own game, "
    "the page then tells about cards of yours that were never shown.",
)
def page(
    out: "Output", home: "Home", *, files: tuple[Path, ...], folder: Path, judges: bool
) -> int:
    """Write games as pages for a browser, each with a replay, that check themselves.

    A page is complete and loads nothing: it holds the transcript, verifies it, and draws the
    verified game.

    Without FILE, your latest finished game is taken.
    """
    from matcha_p2p.app.library import named_files, page

    chosen = files or (named_files.named_or_latest(out, home, None),)
    return page.run(out, home, chosen, folder, judges=judges)


@_command
@click.argument("names", nargs=-1, required=True, type=cli_options.FILE, metavar="FOLDER...")
@option(
    "--output",
    "folder",
    type=cli_options.FOLDER,
    metavar="FOLDER",
    help="The folder for the pages, by default the only FOLDER.",
)
def index(
    out: "Output",
    home: "Home",
    *,
    names: tuple[Path, ...],
    folder: Path | None,
) -> int:
    """Write the pages of all transcripts in and under FOLDER, and index.html, which lists them.

    The list has the score of each name, with a drawing over time. The folder can go on the web
    as it is: the pages share a script and a style beside them. Next time only changes are
    checked and written. With --output, files count too, and - reads names from standard input.
    """
    from matcha_p2p.app.library import index

    return index.run(out, home, names, folder)


@_command
@option(
    "--installed",
    is_flag=True,
    help="List the games that can be played, and the package of each, and nothing else.",
)
def games(out: "Output", home: "Home", *, installed: bool) -> int:
    """List your games, and the score against each opponent.

    This command only reads the files; verify judges them. Keys are new in each game, so a score
    is against every player who used that name.
    """
    from matcha_p2p.app.library import games

    return games.run_installed(out) if installed else games.run(out, home)


@_command_without_home
@cli_options.name_option
@cli_options.person_options
@cli_options.game_option
def tutorial(out: "Output", *, game: str, **options: "Unpack[SeatOptions]") -> int:
    """Learn a game in a few minutes."""
    from matcha_p2p.app.practice import tutorial
    from matcha_p2p.console.terminal.keyboard import stdin_keyboard

    return tutorial.run(out, options, stdin_keyboard(), options.get("name"), game)


@_command_without_home
@cli_options.edition_option
@cli_options.game_option
@option(
    "--log",
    type=cli_options.FILE,
    help="Play this log of a round, and print where each line leads.",
)
@option(
    "--board",
    type=cli_options.FILE,
    help="With --log: play the log on the board of this file; see matcha kashi check.",
)
def rules(
    out: "Output",
    *,
    edition: str,
    game: str,
    log: Path | None,
    board: Path | None,
) -> int:
    """Read the rules, with examples."""
    from matcha_p2p.app.command import outcomes
    from matcha_p2p.app.rules import rules as explaining

    if log is not None:
        return explaining.judge(out, game, log, board)
    if board is not None:
        raise outcomes.CommandError(outcomes.Exit.USAGE, "--board needs --log.", code="no-log")
    return explaining.run(out, game, edition)


@_command_without_home
@click.argument(
    "bots",
    nargs=-1,
    required=True,
    callback=parsing.opposing_bots,
    shell_complete=completion.bots,
    metavar="BOT BOT...",
)
@cli_options.game_option
@option(
    "--games",
    "--deals",
    "games",
    type=click.IntRange(1),
    required=True,
    metavar="N",
    help="How many games of Matcha, in pairs: the same cards from both seats. How many deals "
    "of Tichu, each with both seatings, or decks of Kashi-ichi, each from all seats.",
)
@option(
    "--sprt",
    type=float,
    nargs=2,
    metavar="ELO ELO",
    callback=parsing.elo_bounds,
    help="Matcha: stop when the difference in strength is decided between these two values.",
)
@cli_options.edition_option
@cli_options.players_option
@option("--seed", type=int, help="Make the games repeatable.")
@option(
    "--record",
    type=cli_options.FILE,
    metavar="FILE",
    help="Keep the results in FILE. After a stop the same command goes on from there.",
)
def arena(
    out: "Output",
    *,
    bots: tuple[str, ...],
    games: int,
    edition: str,
    **options: "Unpack[MatchOptions]",
) -> int:
    """Let bots play many games without cryptography, and count the results.

    A bot is one of the game, or cmd:PROGRAM. Three or more bots play a match between each two,
    and get ratings. Ctrl-C ends a match with the result so far.
    """
    from matcha_p2p.app.bots.arena import run
    from matcha_p2p.games.matches.match import ArenaWish

    return run(out, ArenaWish(bots, games, edition, **options))


@_command_without_home
@click.argument("task", type=click.Choice(["check"]))
@click.argument("file", type=cli_options.FILE)
@option(
    "--simulate",
    "games",
    type=click.IntRange(1),
    metavar="N",
    help="Let bots play N games of three and of four, and print how often each seat wins, and "
    "each style of play among bots of the level club.",
)
@option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="The number behind all chance: the same number plays the same games.",
)
def kashi(out: "Output", *, task: str, file: Path, games: int | None, seed: int) -> int:
    """Check a board FILE of Kashi-ichi: each fault is named with its line."""
    from matcha_p2p.app.rules.boards import check
    from matcha_p2p.games import game_of

    del task
    return check(out, game_of("kashi"), file, games, seed)


@commands.command(cls=SpokenCommand, hidden=True)
@click.argument("bot", callback=parsing.own_bot, metavar="BOT")
@cli_options.game_option
def engine(bot: str, game: str) -> None:
    """Let a bot of ours answer on standard input and output (protocol/bots.md)."""
    from matcha_p2p.games import game_of
    from matcha_p2p.games.bots.serve import serve
    from matcha_p2p.games.game import Game

    played = game_of(game)
    protocol = played.needed(Game.exchange)
    serve(protocol, played.roster[bot], sys.stdin, partial(print, flush=True))


@commands.command(cls=SpokenCommand, hidden=True)
def worker() -> None:
    """Do on standard input and output what another process of this program asks for."""
    from matcha_p2p.app.workers import serve

    serve(sys.stdin.buffer, sys.stdout.buffer)


def main() -> None:
    """Run the command line."""
    # By default, Windows looks for programs in the current folder first.
    os.environ.setdefault("NoDefaultCurrentDirectoryInExePath", "1")
    gc.set_threshold(*_COLLECTIONS)
    open_streams()
    sys.exit(_run())


def _run() -> int:
    """Run the command line; return the exit code if no command has run."""
    try:
        return cast("int | None", commands.main(prog_name="matcha", standalone_mode=False)) or 0
    except click.ClickException as error:
        with complaining():
            error.show()
        return error.exit_code
    except click.Abort:
        from matcha_p2p.app.command.outcomes import SIGNALLED

        return SIGNALLED + signal.SIGINT
    except Exception as error:  # noqa: BLE001 -- Python's exit code 1 would say "not valid"
        from matcha_p2p.app.command.outcomes import explain
        from matcha_p2p.app.command.output import Output

        return explain(Output(facts=False), None, error)
