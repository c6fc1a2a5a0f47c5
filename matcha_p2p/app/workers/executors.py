"""The executor that ``--executor`` names, for work on other machines."""

from collections.abc import Generator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final

import matcha_p2p
from matcha_p2p.app.command.outcomes import CommandError, Exit

if TYPE_CHECKING:
    from typing import Any

DASK: Final = "dask:"
"""An address of a scheduler of Dask comes after this."""

_PATIENCE: Final = 30
"""Seconds for the scheduler and for a first worker to answer."""


@contextmanager
def opened(name: str | None) -> Generator[Executor | None]:
    """Give the executor ``name``; for None give None: the processes of this machine.

    name: DASK and the address of a scheduler. Its workers have this version of the program, and
    read files by the same paths. The answers of the workers are pickles, and can run code here.

    Raises:
        CommandError: the library is missing, the scheduler or its workers do not answer, or the
            workers have another version.
    """
    if name is None:
        yield None
        return
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise CommandError(
            Exit.USAGE,
            "{name} needs the library distributed. Install this package with its extra, "
            "cluster.",
            code="no-dask",
            name=name,
        ) from error
    address = name.removeprefix(DASK)
    with _connected(distributed, address) as client:
        _see_the_version(client, address)
        try:
            yield client.get_executor(pure=False)  # equal paths may have other contents later
        except (CancelledError, distributed.KilledWorker) as error:
            raise CommandError(
                Exit.UNREACHED,
                "The workers of {address} have stopped in the midst of the work.",
                code="workers-lost",
                address=address,
            ) from error


def _connected(distributed: "Any", address: str) -> "Any":  # noqa: ANN401 -- of an optional library
    """Return the client of the scheduler at ``address``.

    Raises:
        CommandError: the scheduler does not answer.
    """
    try:
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CommandError(
            Exit.UNREACHED,
            "No scheduler of Dask answers at {address}.",
            code="no-scheduler",
            address=address,
        ) from error


def _see_the_version(client: "Any", address: str) -> None:  # noqa: ANN401 -- of an optional library
    """See that a worker answers, and that all workers have this version of the program.

    Raises:
        CommandError: otherwise.
    """
    try:
        # A cluster may start its first worker for this task.
        client.submit(program_version, pure=False).result(_PATIENCE)
        versions = set(client.run(program_version).values())
    except TimeoutError as error:
        raise CommandError(
            Exit.UNREACHED,
            "The scheduler {address} has no worker that answers.",
            code="no-workers",
            address=address,
        ) from error
    except Exception as error:  # unpickling the function fails where the package is missing
        raise _other_version(address) from error
    if versions != {matcha_p2p.__version__}:
        raise _other_version(address)


def _other_version(address: str) -> CommandError:
    return CommandError(
        Exit.USAGE,
        "The workers of {address} do not have version {version} of matcha_p2p. Install the "
        "same version there.",
        code="worker-version",
        address=address,
        version=matcha_p2p.__version__,
    )


def program_version() -> str:
    """Return the version of the program in this process."""
    return matcha_p2p.__version__
