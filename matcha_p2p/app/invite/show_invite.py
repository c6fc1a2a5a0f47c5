"""Invites for other people: copied, or shown as a QR code."""

from typing import Final

from matcha_p2p.app.command.output import Output
from matcha_p2p.console.menu.asker import Asker
from matcha_p2p.console.menu.menu import QrCode
from matcha_p2p.language import Counted, Sentence
from matcha_p2p.transport.codes.invite import Invite

INVITE: Final = Sentence("The invite")
WATCH: Final = Sentence("The invite to watch")
"""Headings for invites."""

COPY: Final = Sentence("copy")
COPIED: Final = Sentence("If your terminal allows it, the invite is on the clipboard now.")
QR: Final = Sentence("QR")
QR_HOW: Final = Sentence("For the camera of a telephone: the QR code holds the invite.")
WATCH_KEY: Final = Sentence("watch")
_HOW_TO_WATCH: Final = Counted(
    "With this invite {count} person may only watch: {invite}",
    "With this invite up to {count} people may only watch: {invite}",
)


async def show_code(asker: Asker, invite: Invite) -> None:
    """Show the invite of the guest as a QR code."""
    await asker.ask(QrCode(INVITE(), (QR_HOW(),), invite.encode()))


def tell_watch_invite(out: Output, asker: Asker, invite: Invite, most: int) -> None:
    """Tell the invite for up to ``most`` watchers; the person passes the invite on."""
    text = invite.encode()
    out.fact("watch-invite", invite=text, most=most)
    asker.tell(WATCH(), (_HOW_TO_WATCH(most, invite=text),))


async def show_watch_code(asker: Asker, invite: Invite) -> None:
    """Copy the watchers' invite, and show the invite as a QR code."""
    asker.copy(invite.encode())
    await asker.ask(QrCode(WATCH(), (COPIED(), QR_HOW()), invite.encode()))
