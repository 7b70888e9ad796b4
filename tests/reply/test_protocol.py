"""The response protocol: hidden blocks are hidden, and the message is never lost (LLM-01…07, C-69)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chingoo.reply.protocol import ModelReply, parse_reply, spoken

TEXT = "Glad you are here. Take the chair by the window."


@pytest.mark.parametrize(
    "raw",
    [
        TEXT,
        f"  {TEXT}\n",
        f"<thinking>\nMode: WITNESS\nUserIntensity: 3\nStrategy: stay near\n</thinking>\n{TEXT}",
        f"<THINKING>quiet</Thinking>{TEXT}",
        f"< thinking >quiet< / thinking >{TEXT}",
        f"<draft>an earlier try</draft>\n<dispatch>EXPLAIN_PROCESS</dispatch>\n{TEXT}",
        f"{TEXT}\n<memories>mem1, ep2</memories>",
        f"{TEXT}\n<memories>mem1, ep2",
        f"{TEXT}\n<memories/>",
        # only a closing tag, of a block whose opening is missing
        f"</thinking>\n{TEXT}",
        f"Mode: NEEDS, stay near</thinking>{TEXT}",
        f"{TEXT}</thinking>",
        # an opening tag that is never closed
        f"<thinking>\nMode: NEEDS\nStrategy: stay near\n\n{TEXT}",
        f"<thinking>\nMode: NEEDS\nStrategy: stay near\n{TEXT}",
        f"<thinking>I should be kind here.\n\n{TEXT}",
        f"{TEXT}\n<thinking>what now",
        f"<thinking>quiet</draft>{TEXT}",
        f"<dispatch>EXPLAIN_PROCESS\n{TEXT}",
        # cut off, wrapped, nested
        f"{TEXT} <memor",
        f"{TEXT} </",
        f"<message>{TEXT}</message>",
        f"<reply>\n{TEXT}\n</reply>",
        f"```\n{TEXT}\n```",
        f"```xml\n<thinking>quiet</thinking>\n{TEXT}\n```",
        f"```\n<thinking>quiet</thinking>\n```\n{TEXT}",
        f"```xml\n<thinking>\nquiet\n```\n\n{TEXT}",
        f"<thinking>\n```\nMode: NEEDS\n```\n</thinking>\n```\n{TEXT}\n```",
        f"```\n{TEXT}\n```\n<memories>mem1</memories>",
        f"{TEXT}\n```\n<memories>mem1</memories>\n```",
        f"<thinking>a<draft>b</draft>c</thinking>{TEXT}",
        f"{TEXT} <draft></thinking><THINKING</thinking>>",
        f"<thinking>a<thinking>b</thinking>c</thinking>{TEXT}",
        f"Mode: WITNESS\nUserIntensity: 3\n{TEXT}",
    ],
)
def test_the_message_is_what_is_left(raw: str) -> None:
    assert spoken(raw) == TEXT


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "   ",
        "<thinking>Mode: NEEDS</thinking>",
        "<thinking>Mode: NEEDS",
        "<thinking>\nfree words without an end",
        "<draft>x</draft><dispatch>Y</dispatch>",
        "</thinking></draft>",
        "<memories>mem1</memories>",
    ],
)
def test_only_thinking_is_an_empty_answer(raw: str) -> None:
    """S-01."""
    assert spoken(raw) == ""


@pytest.mark.parametrize(
    "text",
    [
        "I <3 you.",
        "2 < 3 and 5 > 4.",
        "Strategy: sleep first, then pack.",
        "The flat has 20 (m2) in all.",
        "First line.\n\nSecond line.",
        "a <b> c",
        "He said </3.",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert spoken(text) == text


def test_what_was_declared_is_read() -> None:
    raw = (
        "<thinking>Mode: REPAIR\nUserIntensity: 7\nFeelHeardCheck: Y</thinking>"
        "<dispatch>EXPLAIN_PROCESS</dispatch>You like sushi (mem2), and jazz [MEM1, ep3]."
        "<memories>mem1, mem4</memories>"
    )
    assert parse_reply(raw) == ModelReply(
        text="You like sushi, and jazz.",
        used=("mem1", "mem4", "mem2", "ep3"),
        fields=(("mode", "REPAIR"), ("userintensity", "7"), ("feelheardcheck", "Y")),
        dispatch="EXPLAIN_PROCESS",
    )


tags = st.sampled_from(
    [
        "<thinking>",
        "</thinking>",
        "<draft>",
        "</draft>",
        "<dispatch>",
        "</dispatch>",
        "<memories>",
        "</memories>",
        "<THINKING",
        "< / thinking >",
        "```",
        "```xml\n",
        "<",
        ">",
        "</",
        "\n",
        "\n\n",
        " ",
        "Mode: NEEDS",
        "secret",
        "hello there",
        "안녕",
        "mem1",
    ]
)


@settings(max_examples=500)
@given(st.lists(tags, max_size=14).map("".join))
def test_no_tag_ever_gets_out(raw: str) -> None:
    """And taking apart what was taken apart changes nothing more about tags."""
    text = spoken(raw)
    for name in ("thinking", "draft", "dispatch", "memories"):
        assert f"<{name}>" not in text.lower()
        assert f"</{name}>" not in text.lower()


words = st.text(alphabet=st.sampled_from("abc 안녕.,!?\n"), min_size=1).filter(lambda text: text.strip(" .,!?\n"))


@given(
    hidden=st.text(alphabet="xyz \n", max_size=30), text=words, name=st.sampled_from(["thinking", "draft", "dispatch"])
)
def test_a_closed_block_takes_nothing_of_the_message(hidden: str, text: str, name: str) -> None:
    """LLM-07: every word of the message is still there, and none of the block."""
    shown = spoken(f"<{name}>{hidden}</{name}>\n{text}").split()
    assert shown == text.split()
