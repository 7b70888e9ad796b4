"""The subcommands of `chingoo policy`, and which function each of them calls."""

import argparse
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from chingoo.cli.parts import Parts
from chingoo.model.enums import AgeBand, Mode, UserState
from chingoo.model.policies import Verdict
from chingoo.service.garbage import without_collections
from chingoo.settings.load import find_repository, load

Environ = Mapping[str, str]
_FINE = 0
_DAYS = 30
_FOLDER = "the folder that holds `policies/` (default: CHINGOO_POLICY_DIR, or the one you are in)"


def policy_commands(parser: argparse.ArgumentParser) -> None:
    """Add every subcommand to the parser of `chingoo policy`."""
    commands = parser.add_subparsers(metavar="WHAT", required=True)
    _checking(commands)
    _explaining(commands)
    _recorded(commands)
    _editing(commands)


def policy_root(folder: str | None, environ: Environ) -> Path:
    """The folder that holds `policies/`: the one given, else CHINGOO_POLICY_DIR, else the one around us.

    An editor who stands in a copy means the copy, not the checkout that this program runs from.
    """
    named = folder or environ.get("CHINGOO_POLICY_DIR", "").strip()
    if named:
        return Path(named)
    here = Path.cwd()
    around = (place for place in (here, *here.parents) if (place / "policies").is_dir())
    return next(around, None) or find_repository() or here


def _checking(commands: Any) -> None:
    check = commands.add_parser("check", help="find everything that is wrong with them (exit code 1 if anything is)")
    check.add_argument("folder", nargs="?", help=_FOLDER)
    check.add_argument("--format", choices=("text", "json", "github"), default="text")
    check.add_argument("--today", type=_day, metavar="DAY", help="the day against which reviews are due (default: now)")
    check.set_defaults(command=_check)

    test = commands.add_parser(
        "test", help="run the cases beside them, and ordinary talk (exit code 1 if a case fails)"
    )
    test.add_argument("folder", nargs="?", help=_FOLDER)
    test.add_argument("--no-corpus", action="store_true", help="the cases only")
    test.add_argument("--strict", action="store_true", help="fail also when ordinary talk is refused")
    test.set_defaults(command=_test)


def _explaining(commands: Any) -> None:
    explain = commands.add_parser("explain", help="why a message is decided as it is, and why not otherwise")
    explain.add_argument("text", metavar="TEXT", nargs="?", help="the message")
    explain.add_argument("--folder", help=_FOLDER)
    explain.add_argument("--age-band", choices=[one.value for one in AgeBand], default=AgeBand.B25_34.value)
    explain.add_argument("--mode", choices=[one.value for one in Mode], default=Mode.FRIEND.value)
    explain.add_argument("--user-state", choices=[one.value for one in UserState], default=UserState.ACTIVE.value)
    explain.add_argument("--facts", metavar="NAME=VALUE,…", help="facts that are as you say, whatever the message is")
    explain.add_argument(
        "--why-not", metavar="NAME", action="append", help="a rule, topic or signal that did not come of it; repeatable"
    )
    explain.set_defaults(command=_explain)

    diff = commands.add_parser("diff", help="what changed between two folders, and which decisions become others")
    diff.add_argument("before", metavar="A", help="the folder that holds the `policies/` of before")
    diff.add_argument("after", metavar="B", help="the folder that holds those of now")
    diff.add_argument("--over", metavar="FILE.jsonl", type=Path, help="messages (default: the ordinary talk of B)")
    diff.add_argument(
        "--budget",
        metavar="WHAT=+N%",
        action="append",
        default=[],
        help="how much a share of decisions may change, as refusals=+0.2%%; more ends in exit code 1; repeatable",
    )
    diff.set_defaults(command=_diff)


def _recorded(commands: Any) -> None:
    hits = commands.add_parser("hits", help="which words of the lists are seen in use, and which never")
    hits.add_argument("--since", type=_day, metavar="DAY", help="from this day on (default: 30 days ago)")
    hits.add_argument("--dead", action="store_true", help="only words that were never seen")
    hits.add_argument(
        "--noisy", type=float, metavar="PERCENT", help="only words whose messages are refused at least so often"
    )
    hits.add_argument("--most", type=int, default=50, metavar="N", help="show at most so many lines (default: 50)")
    hits.set_defaults(command=_hits)

    case = commands.add_parser("case", help="make a case of a recorded decision").add_subparsers(
        metavar="WHAT", required=True
    )
    decision = case.add_parser("from-decision", help="keep an editor's verdict as a case, without the message")
    decision.add_argument("decision_id", metavar="ID", help="the id of the decision, from the decision log")
    decision.add_argument("--verdict", choices=[one.value for one in Verdict], help="if nobody has judged it yet")
    decision.add_argument("--folder", help=_FOLDER)
    decision.set_defaults(command=_case)


def _editing(commands: Any) -> None:
    layout = commands.add_parser("fmt", help="lay files out in the one canonical way; what they say stays as it is")
    layout.add_argument("files", metavar="FILE", nargs="*", help="policy files (default: all)")
    layout.add_argument("--folder", help=_FOLDER)
    layout.add_argument("--check", action="store_true", help="change nothing; exit code 1 if something would change")
    layout.set_defaults(command=_fmt)

    new = commands.add_parser("new", help="begin a rule, a reply, a persona, or a case of a topic")
    new.add_argument("kind", choices=("rule", "reply", "persona", "topic"))
    new.add_argument("name", metavar="NAME", help="its name: evening-talk, refusal.spam, PT25, TRAVEL")
    new.add_argument("--like", metavar="PTnn", default="PT01", help="the persona to start from")
    new.add_argument("--folder", help=_FOLDER)
    new.set_defaults(command=_new)


@without_collections()
def _check(given: argparse.Namespace, parts: Parts, environ: Environ) -> int:
    from chingoo.cli.policies import check

    return _said(*check(parts, policy_root(given.folder, environ), given.format, given.today or _today()))


@without_collections()
def _test(given: argparse.Namespace, parts: Parts, environ: Environ) -> int:
    from chingoo.cli.policy_test import run_tests

    root = policy_root(given.folder, environ)
    return _said(*run_tests(parts, root, corpus=not given.no_corpus, strict=given.strict))


@without_collections()
def _explain(given: argparse.Namespace, parts: Parts, environ: Environ) -> int:
    from chingoo.cli.policy_explain import explained

    return _said(explained(parts, policy_root(given.folder, environ), given), _FINE)


@without_collections()
def _diff(given: argparse.Namespace, parts: Parts, _: Environ) -> int:
    from chingoo.cli.policy_diff import compared

    return _said(*compared(parts, Path(given.before), Path(given.after), given.over, given.budget))


def _hits(given: argparse.Namespace, parts: Parts, environ: Environ) -> int:
    from chingoo.cli.policy_hits import counted

    since = given.since or _today() - timedelta(days=_DAYS)
    settings = load(environ).settings
    return _said(counted(parts, settings, since, dead=given.dead, noisy=given.noisy, most=given.most), _FINE)


def _case(given: argparse.Namespace, parts: Parts, environ: Environ) -> int:
    from chingoo.cli.policy_case import from_decision

    root = policy_root(given.folder, environ)
    return _said(from_decision(parts, load(environ).settings, root, given.decision_id, given.verdict), _FINE)


def _fmt(given: argparse.Namespace, parts: Parts, environ: Environ) -> int:
    from chingoo.cli.policy_edit import formatted

    return _said(*formatted(parts, policy_root(given.folder, environ), given.files, only_check=given.check))


def _new(given: argparse.Namespace, parts: Parts, environ: Environ) -> int:
    from chingoo.cli.policy_edit import scaffolded

    return _said(scaffolded(parts, policy_root(given.folder, environ), given.kind, given.name, given.like), _FINE)


def _said(text: str, status: int) -> int:
    if text:
        print(text)
    return status


def _day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{written}` is no day; write it as 2026-03-31") from None


def _today() -> date:
    return datetime.now(UTC).date()  # noqa: TID251 - the command line is its own caller
