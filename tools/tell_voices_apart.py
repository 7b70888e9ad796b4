"""How well the 24 friends can be told apart by what the composer says for them: accuracy, chance, who is confused.

`python tools/tell_voices_apart.py [replies a friend]`
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.reply.voices import guess_voices  # noqa: E402 - the tests' folder is put on the path above

from chingoo.adapters.policy_files import read_policy_files, read_schemas  # noqa: E402
from chingoo.engine.engine import build_engine  # noqa: E402
from chingoo.policy.compile import load  # noqa: E402


def main(replies: int) -> None:
    """Compose, guess, print."""
    result = load(read_policy_files(ROOT), read_schemas(ROOT))
    if result.bundle is None:
        sys.exit("the policies do not compile; see `chingoo policy check`")
    engine = build_engine(result.bundle)
    guesses = guess_voices(result.bundle, engine, replies)
    engine.close()
    print(f"the friend:    {guesses.friends:.3f} (chance {1 / len(result.bundle.personas):.3f})")
    print(f"its archetype: {guesses.archetypes:.3f}")
    for (author, guess), times in guesses.mistaken.most_common(10):
        print(f"  {author} taken for {guess}: {times} of {replies}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 32)
