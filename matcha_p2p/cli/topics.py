"""The pages of ``matcha help TOPIC``."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import click

from matcha_p2p.app.command.outcomes import Exit
from matcha_p2p.language import Sentence

Part: TypeAlias = Sentence | Mapping[str, Sentence]
"""A paragraph, or a list of words to type with their effects."""

EXITS: Final[Mapping[Exit, Sentence]] = {
    Exit.DONE: Sentence("The game was played, won or lost; every transcript is valid."),
    Exit.INVALID: Sentence("A transcript is not valid."),
    Exit.USAGE: Sentence("The command line or the invite is wrong."),
    Exit.UNREACHED: Sentence("There is no connection."),
    Exit.REFUSED: Sentence("The other side lacks the invite's secret, or has another version."),
    Exit.VIOLATED: Sentence("The other side broke the protocol."),
    Exit.INTERRUPTED: Sentence("The game is unfinished."),
    Exit.DECLINED: Sentence("The other side declined, or left before the game began."),
    Exit.UNREADABLE: Sentence(
        "A file is missing, in use, or cannot be read or written; or the clock is wrong."
    ),
    Exit.BUG: Sentence("Matcha itself has a fault."),
    Exit.OUTPUT: Sentence("Stdout is closed or full, so part of the output is lost."),
}

TOPICS: Final[Mapping[str, tuple[Sentence, *tuple[Part, ...]]]] = {
    "play": (
        Sentence("How to play with a friend."),
        Sentence("One of you hosts, the other joins. The menu does the same as the commands."),
        {
            "matcha host": Sentence("Open a table and show an invite."),
            "matcha join": Sentence("List the tables on this network, or take an invite."),
            "matcha host --game tichu": Sentence("Open a table of Tichu for four."),
            "--game kashi --players 4": Sentence(
                "Open a table of Kashi-ichi for three or four."
            ),
            "matcha tutorial": Sentence("Learn the game."),
            "matcha practice": Sentence("Play against a bot."),
        },
        Sentence(
            "On one network you send nothing. The guest picks a table, the host says yes "
            "and reads six digits aloud, and the guest types them. After three wrong "
            "guesses a guest needs the invite. --no-announce hides your table."
        ),
        Sentence(
            "Elsewhere send the invite over a channel that only your friend reads. Other "
            "users of a machine see its command lines: join also reads the invite from "
            "MATCHA_INVITE, or from standard input after matcha join -."
        ),
        Sentence(
            "A game of two begins once the guest sits. At a table of three or four one invite "
            "is for all guests: the host exchanges seats, fills empty seats with bots, and "
            "begins. A guest whose name is taken gets a number, as in Mina 2."
        ),
        Sentence(
            "On the full screen digits, arrows and the mouse choose. ? shows help, m the "
            "rules, / begins talk, and x hides the talk of others. --ui line goes line "
            "by line, for screen readers and scripts."
        ),
        Sentence(
            "--edition 2015 or 2020 chooses the rules. In talk a number from 1 to 9 says a "
            "phrase, which others read in their own language."
        ),
        Sentence(
            "After the game o offers to show the hidden cards, and r offers another game: "
            "each happens if all players agree. a opens the analysis of your decisions."
        ),
    ),
    "internet": (
        Sentence("How a guest reaches you over the internet."),
        Sentence(
            "Your router must let the guest through. matcha host asks the router to do so "
            "(PCP, NAT-PMP or UPnP) and shows the answer. --no-router leaves the router "
            "alone."
        ),
        Sentence(
            "If the router does not answer, forward TCP port 4717 in its settings, and give "
            "your outside address to matcha host. A name or the address of a VPN works too."
        ),
        {
            "--address HOST[:PORT]": Sentence("Add an address to the invite."),
            "--stun HOST[:PORT]": Sentence("Ask a STUN server for your outside address."),
            "--socks HOST:PORT": Sentence("Join only through a SOCKS proxy such as Tor."),
        },
        Sentence(
            "If no address answers, matcha join shows an answer code after 4 seconds. The "
            "guest sends the code back, and the host pastes it (on the full screen: key r). "
            "Both programs then dial at the same time, which opens most firewalls and many "
            "routers."
        ),
        Sentence(
            "The port is 4717, or the next free one. Over IPv4 an answer code needs both "
            "outside addresses: if the router cannot be asked, add yours with --address or "
            "--stun."
        ),
        Sentence(
            "If your provider shares one address among many customers, let your friend host."
        ),
        {
            "matcha doctor": Sentence("Show who can reach this machine."),
            "matcha doctor --ask INVITE": Sentence("Try each address of a friend's invite."),
        },
    ),
    "friends": (
        Sentence("How to know people again, and play again without an invite."),
        Sentence(
            "Each home has a key, and every game shows the keys of the others. If a name that "
            "you know comes with another key, the program warns you in red."
        ),
        {
            "matcha me": Sentence("Show your key as six words."),
            "matcha friends": Sentence("List the people you have met, with the score."),
            "--compared NAME": Sentence("Note that you have compared the six words."),
            "--rename NAME NEW": Sentence("Give a person another name."),
            "--forget NAME": Sentence("Forget a person."),
            "matcha wait": Sentence("Wait for the call of a friend."),
            "matcha wait --game tichu": Sentence("Give each friend who calls a seat."),
            "matcha call NAME": Sentence("Call a friend who waits."),
            "matcha call NAME NAME": Sentence("Open a table, and call all to their places."),
        },
        Sentence(
            "A call needs a game that you two have played to its end, or compared words. "
            "The programs look for each other on your network and at the addresses of your "
            "last game. Strangers see neither names nor calls."
        ),
        Sentence("The friend says yes or no, or mutes the caller for six hours."),
        Sentence(
            "The list is your own record and proves nothing to others. --no-remember shows "
            "no key and keeps nothing."
        ),
    ),
    "watch": (
        Sentence("How others watch a game."),
        Sentence("If all players agree, the host prints a second invite for the watchers."),
        {
            "--watch 3": Sentence("Let three people watch (host, wait and call)."),
            "matcha watch INVITE": Sentence("Watch a game."),
            "--watchers-see moves": Sentence("Show each move at once, if all players agree."),
            "--watchers-see nothing": Sentence("Let nobody watch; in the game, press v."),
        },
        Sentence(
            "Watchers see the public part of a round when the round is over, and never a "
            "hand. All players see who watches. A resumed game has no watchers."
        ),
        Sentence(
            "Each watcher's program verifies every message. A watcher who stays to the end "
            "keeps the transcript."
        ),
    ),
    "resume": (
        Sentence("What to do when a game stops."),
        Sentence(
            "If a line is lost, the programs connect again by themselves. After a crash or a "
            "reboot run matcha resume: the programs that still run wait for you."
        ),
        Sentence(
            "At a table of three or four the guests find the host, and the host's program "
            "brings its bots back. A program that was started again plays on once the "
            "programs of all other players have answered."
        ),
        {
            "matcha resume": Sentence("Go on with the latest unfinished game."),
            "matcha claim": Sentence("State that a player has stayed away."),
        },
        Sentence(
            "Over the internet the programs ask the router again. If you connected by an "
            "answer code, you need no new code: both players run matcha resume."
        ),
        Sentence(
            "A game that you joined through a SOCKS proxy goes on through the proxy. "
            "--no-socks goes on without it, and the other players learn your addresses."
        ),
        Sentence(
            "A claim shows whose turn it is. How long the player was away is your word alone."
        ),
        Sentence(
            "Never go on with a game from a backup or a copied folder. Two messages signed "
            "with the same key in the same place convict you of cheating, and may show your "
            "cards. matcha resume refuses a folder if it can tell that the folder is old; "
            "--older insists."
        ),
        Sentence("If both sides go back to old copies, neither can notice."),
    ),
    "verify": (
        Sentence("How to check a finished game and look at it."),
        Sentence("Your program has checked each finished game. Anybody can check it again."),
        {
            "matcha verify FILE...": Sentence("Judge transcripts, a line each; -v shows more."),
            "matcha verify MINE THEIRS": Sentence("Compare two files of one game."),
            "matcha verify FOLDER": Sentence("Judge the transcripts of a folder."),
            "matcha replay FILE": Sentence("Go through the game step by step."),
            "matcha analyse FILE": Sentence("Judge the decisions."),
            "matcha export FILE": Sentence("Print the game: --format json or text."),
            "matcha page FILE": Sentence("Write a page that verifies itself in a browser."),
            "matcha index FOLDER": Sentence("Write pages of a folder's games, and a list."),
            "matcha games": Sentence("List your games, with the scores."),
        },
        Sentence(
            "If the other side breaks the protocol, the game stops, and a .dispute file "
            "keeps the signed evidence. matcha verify names the entry, the check and the "
            "seat."
        ),
        Sentence("A decided game counts, even if the loser does not sign the result."),
        Sentence("A page loads nothing. After ten sets a page may exceed 400 kB."),
    ),
    "bots": (
        Sentence("How to play against bots, and how to bring your own."),
        Sentence("From easy to hard: beginner, casual, club, keen, expert."),
        {
            "matcha practice --bot NAME": Sentence("Play against a bot."),
            "--game kashi --players 4": Sentence("Play Kashi-ichi against three bots."),
            "--board FILE": Sentence("Play Kashi-ichi on a board of your own."),
            "matcha kashi check FILE": Sentence("Check a board: each fault by its line."),
            "--simulate N": Sentence("How often each seat and style of play wins."),
            "--no-banter": Sentence("Let the bot say nothing."),
            "h, hint": Sentence("Show a good move, with the reason."),
            "u, undo": Sentence("Take back your last decision."),
            "--play NAME": Sentence("Let a bot play your seat (host, join, wait, call)."),
            "--play cmd:PROGRAM": Sentence("Let a program play; see protocol/bots.md."),
            "matcha arena A B --games N": Sentence("Count the wins of two bots in many games."),
            "matcha arena A B C --games N": Sentence("Rank three bots or more."),
            "--game tichu --deals N": Sentence("Tell how many points a round a bot is ahead."),
        },
        Sentence(
            "If the installation found no C compiler, strong plays in the place of expert."
        ),
    ),
    "files": (
        Sentence("What the program keeps, and where."),
        Sentence(
            "matcha games shows where your games lie. --home DIR or MATCHA_HOME keeps all "
            "files in one folder."
        ),
        {
            "games/*.matcha": Sentence("Transcripts of finished games; share them freely."),
            "games/*.dispute": Sentence("Evidence of a broken rule."),
            "games.index": Sentence("Your seats and your secret keys; give it to nobody."),
            "config.toml": Sentence("Settings. Options and variables override them."),
        },
        Sentence(
            "With games.index a replay shows your own hand. With a key and a transcript "
            "anybody sees the cards that you never showed."
        ),
        {
            "MATCHA_LANG": Sentence("The language: en, ja or uk; --lang comes before it."),
            "MATCHA_ENGINE": Sentence("The arithmetic: fast (C), native (libsodium) or pure."),
        },
    ),
    "completion": (
        Sentence("How the shell completes commands, options, names and files."),
        Sentence("Put the line for your shell into the file that it reads when it starts."),
        {
            'eval "$(_MATCHA_COMPLETE=bash_source matcha)"': Sentence("bash: ~/.bashrc"),
            'eval "$(_MATCHA_COMPLETE=zsh_source matcha)"': Sentence("zsh: ~/.zshrc"),
            "_MATCHA_COMPLETE=fish_source matcha | source": Sentence(
                "fish: ~/.config/fish/completions/matcha.fish"
            ),
        },
    ),
    "exit-codes": (
        Sentence("How scripts tell what has happened."),
        {str(code.value): said for code, said in EXITS.items()},
        Sentence(
            "A signal gives 128 and its number: 130 after Ctrl-C, 141 if the reader of "
            "stdout has left."
        ),
    ),
}


def titles() -> Iterator[tuple[str, str]]:
    """Yield each topic and its title."""
    for topic, (title, *_) in TOPICS.items():
        yield topic, title().rstrip(".。")


def page(topic: str, formatter: click.HelpFormatter) -> str:
    """Return the page of ``topic``, a key of TOPICS, in the spoken language."""
    for part in TOPICS[topic]:
        if formatter.getvalue():
            formatter.write_paragraph()
        if isinstance(part, Sentence):
            formatter.write_text(part())
        else:
            with formatter.indentation():
                formatter.write_dl([(typed, does()) for typed, does in part.items()])
    return formatter.getvalue()
