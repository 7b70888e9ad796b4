"""The command line's one way in: arguments to a command, errors to one message, results to an exit code."""

import argparse
import asyncio
import os
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence

import chingoo
from chingoo.cli.parts import Parts
from chingoo.cli.policy_arguments import policy_commands
from chingoo.errors import ChingooError, PolicyRefusedError
from chingoo.settings.load import load
from chingoo.settings.readers import port
from chingoo.settings.table import markdown_table

FINE, FAILED, INTERRUPTED = 0, 2, 130

Command = Callable[[argparse.Namespace, Parts, Mapping[str, str]], int]


def main(
    argv: Sequence[str] | None = None, parts: Parts | None = None, environ: Mapping[str, str] | None = None
) -> int:
    """Run one command. 0: good; 1: findings; 2: it could not be done, and one message says why and what to do."""
    given = _parser().parse_args(argv)
    command: Command = given.command
    try:
        return command(given, parts or _real_parts(), os.environ if environ is None else environ)
    except PolicyRefusedError as error:
        return _refused(error)
    except ChingooError as error:
        return _failed(error.detail)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as error:  # noqa: BLE001 - the top of the command line
        if os.environ.get("CHINGOO_LOG_LEVEL", "").lower() == "debug":
            traceback.print_exc()
        return _failed(f"internal error ({type(error).__name__}: {error}); CHINGOO_LOG_LEVEL=debug shows where")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="chingoo",
        description="A policy service for AI-friend chat. Settings are read from the environment: `chingoo settings`.",
    )
    parser.add_argument("--version", action="version", version=f"chingoo {chingoo.__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    serve = commands.add_parser("serve", help="migrate the database, compile the policies, serve")
    serve.set_defaults(command=_serve)
    worker = commands.add_parser("worker", help="run the jobs, without a web server")
    worker.set_defaults(command=_worker)

    detector = commands.add_parser(
        "detector",
        help="answer OpenAI's moderation protocol: a second opinion without a network",
        description="Listens for messages that word lists do not understand, by OpenAI's moderation protocol. Nobody "
        "is asked for a key: keep it where only the service can reach it, and give that CHINGOO_DETECTOR_URL="
        "http://127.0.0.1:8091/v1. The policies are those of CHINGOO_POLICY_DIR.",
    )
    detector.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="where to listen (default: 127.0.0.1)")
    detector.add_argument("--port", metavar="PORT", type=port, default=8091, help="the port (default: 8091); 0: any")
    detector.set_defaults(command=_detector)

    database = commands.add_parser("db", help="the database").add_subparsers(metavar="WHAT", required=True)
    upgrade = database.add_parser("upgrade", help="migrate the database to this release")
    upgrade.set_defaults(command=_upgrade)

    keys = commands.add_parser("keys", help="the keys that encrypt memories at rest")
    rotate = keys.add_subparsers(metavar="WHAT", required=True).add_parser(
        "rotate", help="encrypt everything anew under the first key of CHINGOO_DATA_KEY"
    )
    rotate.set_defaults(command=_rotate)

    _evaluate_arguments(commands.add_parser("evaluate", help="decide what a message would be"))

    policy_commands(commands.add_parser("policy", help="the policies on disk: check, test, explain, compare, edit"))

    _persona_commands(commands.add_parser("persona", help="how friends are given out"))

    counts = commands.add_parser("safety-counts", help="guard hits and crises by month, over all users")
    counts.add_argument("--since", metavar="MONTH", help="from this month on, like 2026-01")
    counts.add_argument("--until", metavar="MONTH", help="up to this month, included")
    counts.add_argument("--json", action="store_true", help="the body of GET /v1/audit/counts")
    counts.set_defaults(command=_safety_counts)

    page = commands.add_parser("help", help="what the code of a finding means")
    page.add_argument("code", nargs="?", help="for example `yaml-alias`; without one, all codes are listed")
    page.set_defaults(command=_help)

    settings = commands.add_parser("settings", help="every setting, what it means and what is in force")
    settings.add_argument("--markdown", action="store_true", help="as the table of README.md")
    settings.set_defaults(command=_settings)

    version = commands.add_parser("version", help="this release")
    version.set_defaults(command=_version)
    return parser


def _evaluate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the message")
    parser.add_argument("--explain", action="store_true", help="say which words and rules led there, with their places")
    parser.add_argument("--age-band", metavar="BAND", help="13-17, 18-24, 25-34, 35-44, 45+ or unknown (default)")
    parser.add_argument("--mode", metavar="MODE", help="friend (default) or intimate")
    parser.add_argument("--country", metavar="CODE", help="ISO 3166-1 alpha-2, for crisis lines")
    parser.add_argument("--user-state", metavar="STATE", help="CREATED, ONBOARDING or ACTIVE (default)")
    parser.add_argument("--persona", metavar="TEMPLATE", help="a persona template, PT01 to PT24")
    parser.add_argument("--suppress", metavar="TOPIC", action="append", help="a suppressed topic; repeatable")
    parser.add_argument("--at", metavar="INSTANT", help="as of which instant (default: now)")
    parser.add_argument("--json", action="store_true", help="the body of POST /v1/evaluate")
    parser.set_defaults(command=_evaluate)


def _persona_commands(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar="WHAT", required=True)
    simulate = commands.add_parser("simulate", help="give out N friends under the cap, and show how they spread")
    simulate.add_argument("amount", metavar="N", type=int, help="how many friends")
    simulate.add_argument("--hours", type=float, default=48.0, help="over how many hours (default: 48)")
    simulate.add_argument("--seed", type=int, default=0, help="another run, as repeatable as this one (default: 0)")
    simulate.add_argument("--json", action="store_true", help="all counts, as JSON")
    simulate.set_defaults(command=_simulate)


def _real_parts() -> Parts:
    from chingoo.cli.real import RealParts

    return RealParts()


def _serve(_: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.running import serve

    return serve(parts, load(environ))


def _worker(_: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.running import work

    return work(parts, load(environ))


def _detector(given: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.running import detect

    return detect(parts, load(environ), given.host, given.port)


def _upgrade(_: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.progress import ProgressLines

    revision = asyncio.run(parts.upgrade_database(load(environ).settings, ProgressLines(sys.stderr)))
    print(f"the database is at revision {revision}")
    return FINE


def _rotate(_: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.progress import ProgressLines

    done = asyncio.run(parts.rotate_keys(load(environ).settings, ProgressLines(sys.stderr)))
    counts = ", ".join(f"{count} {name}" for name, count in done.items())
    print(f"{counts} written anew; the first key will do from now on")
    return FINE


def _evaluate(given: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.evaluate import evaluate

    print(evaluate(parts, load(environ).settings, given))
    return FINE


def _simulate(given: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.personas import Wish, simulated

    wish = Wish(given.amount, given.hours, given.seed, given.json)
    print(simulated(parts, load(environ).settings.policy_dir, wish))
    return FINE


def _safety_counts(given: argparse.Namespace, parts: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.safety_counts import counted

    print(counted(parts, load(environ).settings, given.since, given.until, as_json=given.json))
    return FINE


def _help(given: argparse.Namespace, parts: Parts, _: Mapping[str, str]) -> int:
    from chingoo.cli.policies import explain

    print(explain(parts, given.code))
    return FINE


def _settings(given: argparse.Namespace, _: Parts, environ: Mapping[str, str]) -> int:
    from chingoo.cli.settings import shown

    if given.markdown:
        print(markdown_table())
        return FINE
    print(shown(environ))
    for warning in load(environ).warnings:
        print(f"chingoo: warning: {warning}", file=sys.stderr)
    return FINE


def _version(_: argparse.Namespace, __: Parts, ___: Mapping[str, str]) -> int:
    print(f"chingoo {chingoo.__version__}")
    return FINE


def _refused(error: PolicyRefusedError) -> int:
    """Broken policies: every finding with its place."""
    from chingoo.source.findings import Finding
    from chingoo.source.render import render_text

    findings = [finding for finding in error.findings if isinstance(finding, Finding)]
    print(render_text(findings, {}), file=sys.stderr)
    return _failed(f"{error.detail}; `chingoo policy check` shows the lines")


def _failed(message: str) -> int:
    print(f"chingoo: {message}", file=sys.stderr)
    return FAILED
