"""The closed grammar of corrections in every language and in mixtures (C-70, CORR-03…12, S-10, INST-03)."""

import pytest

from chingoo.memory.grammar import CorrectionGrammar
from chingoo.policy.bundle import Bundle


@pytest.fixture(scope="module")
def grammar(bundle: Bundle) -> CorrectionGrammar:
    return CorrectionGrammar(bundle.corrections)


WHOLE = [
    ("That's not true.", "deny"),
    ("No, that’s wrong!", "deny"),
    ("WRONG", "deny"),
    ("i never said that", "deny"),
    ("that's not true anymore", "outdated"),
    ("you're thinking of someone else", "wrong_subject"),
    ("nope", "bare_no"),
    ("Where did you get that?", "dispute"),
    ("Forget that.", "forget_that"),
    ("Please don't remember that", "forget_that"),
    ("forget everything about me", "everything"),
    ("Never bring that up again.", "close_topic"),
    ("Yes, please remember that.", "consent"),
    ("What do you know about me?", "known"),
    ("how do you know that?", "source"),
    ("그건 사실이 아니야", "deny"),
    ("틀렸어.", "deny"),
    ("나 말고 다른 사람이야", "wrong_subject"),
    ("아니요", "bare_no"),
    ("그거 어디서 들었어?", "dispute"),
    ("그거 잊어줘", "forget_that"),
    ("기억하지 마.", "forget_that"),
    ("나에 대한 거 다 잊어줘", "everything"),
    ("그 얘기 다시 꺼내지 마", "close_topic"),
    ("응, 기억해 줘.", "consent"),
    ("나에 대해 뭘 알아?", "known"),
    ("그걸 어떻게 알아?", "source"),
    ("Это неправда!", "deny"),
    ("Нет, это не так.", "deny"),
    ("Нет!", "bare_no"),
    ("С чего ты взял?", "dispute"),
    ("Откуда ты это взяла?", "dispute"),
    ("Ты путаешь", "dispute"),
    ("Забудь это.", "forget_that"),
    ("Забудь всё, что ты знаешь обо мне", "everything"),
    ("Больше не поднимай эту тему", "close_topic"),
    ("Да, запомни это.", "consent"),
    ("Что ты обо мне знаешь?", "known"),
    ("Откуда ты знаешь?", "source"),
    ("لا، غلط", "deny"),
    ("لا غلط", "deny"),
    ("أنا مو كذا", "deny"),
    ("من وين قلت كذا؟", "dispute"),
    ("ليش حطيت كذا؟", "dispute"),
    ("انسى هذا", "forget_that"),
    ("انسى كل شي عني", "everything"),
    ("لا تفتح هالموضوع", "close_topic"),
    ("نعم، تذكر ذلك", "consent"),
    ("شو بتعرف عني؟", "known"),
    ("كيف عرفت؟", "source"),
    ("la ghalat", "deny"),
    ("msh kda", "deny"),
    ("ghala6", "deny"),
    ("min wein jebta?", "dispute"),
    ("nsaha", "forget_that"),
    ("insa kel shi", "everything"),
    ("aywa, e7fazha", "consent"),
    ("shu bta3ref 3anni?", "known"),
    ("no, msh kda", "deny"),
    ("no غلط", "deny"),
    ("No es verdad.", "deny"),
    ("Me confundes con otra persona", "wrong_subject"),
    ("¿De dónde sacas eso?", "dispute"),
    ("Olvídalo.", "forget_that"),
    ("Olvida todo lo que sabes de mí", "everything"),
    ("No vuelvas a sacar este tema", "close_topic"),
    ("Sí, recuérdalo.", "consent"),
    ("¿Qué sabes de mí?", "known"),
    ("¿Cómo lo sabes?", "source"),
    ("C'est faux.", "deny"),
    ("Tu me confonds avec quelqu'un d'autre", "wrong_subject"),
    ("D'où tu sors ça ?", "dispute"),
    ("Oublie ça.", "forget_that"),
    ("Oublie tout ce que tu sais sur moi", "everything"),
    ("Ne me parle plus de ça", "close_topic"),
    ("Oui, souviens-toi de ça.", "consent"),
    ("Qu'est-ce que tu sais sur moi ?", "known"),
    ("Comment tu sais ça ?", "source"),
    ("Das stimmt nicht.", "deny"),
    ("Nicht mehr", "outdated"),
    ("Du verwechselst mich mit jemand anderem", "wrong_subject"),
    ("Wie kommst du darauf?", "dispute"),
    ("Vergiss das.", "forget_that"),
    ("Vergiss alles über mich", "everything"),
    ("Sprich das nie wieder an", "close_topic"),
    ("Ja, bitte merk dir das.", "consent"),
    ("Was weißt du über mich?", "known"),
    ("Woher weißt du das?", "source"),
    ("Non è vero.", "deny"),
    ("Mi confondi con qualcun altro", "wrong_subject"),
    ("Da dove l'hai preso?", "dispute"),
    ("Dimenticalo.", "forget_that"),
    ("Dimentica tutto quello che sai di me", "everything"),
    ("Non tirare più fuori questo argomento", "close_topic"),
    ("Sì, ricordalo.", "consent"),
    ("Cosa sai di me?", "known"),
    ("Come lo sai?", "source"),
]


@pytest.mark.parametrize(("text", "command"), WHOLE)
def test_a_whole_message(grammar: CorrectionGrammar, text: str, command: str | None) -> None:
    reading = grammar.read(text)
    assert [said.command for said in reading.commands] == ([command] if command else [])
    assert reading.only_commands is (command is not None)


SLOTS = [
    ("Forget sushi.", "forget", {"x": "sushi"}),
    ("Forget that I like Ramen.", "forget", {"x": "I like Ramen"}),
    ("could you please forget my job?", "forget", {"x": "job"}),
    ("Porto, not Lisbon.", "replace", {"x": "Porto", "y": "Lisbon"}),
    ("It's not Lisbon, it's Porto", "replace", {"x": "Porto", "y": "Lisbon"}),
    ("My size is XL, not M", "replace", {"x": "XL", "y": "M", "name": "size"}),
    ("that's not my size", "deny_named", {"name": "size"}),
    ("Don't talk about politics again.", "close_topic_named", {"x": "politics"}),
    ("Please remember that I live in Porto.", "remember", {"x": "I live in Porto"}),
    ("You can remember my city again", "allow", {"x": "city"}),
    ("리스본 잊어줘", "forget", {"x": "리스본"}),
    ("리스본 아니고 포르투", "replace", {"x": "포르투", "y": "리스본"}),
    ("Забудь про суши", "forget", {"x": "суши"}),
    ("Забудь, что я живу в Лиссабоне", "forget", {"x": "я живу в Лиссабоне"}),
    ("Не S, а M", "replace", {"x": "M", "y": "S"}),
    ("لا غلط، مو M، أنا S", "replace", {"x": "S", "y": "M"}),
    ("انسى موضوع السوشي", "forget", {"x": "السوشي"}),
    ("mish M, ana S", "replace", {"x": "S", "y": "M"}),
    ("Oporto, no Lisboa", "replace", {"x": "Oporto", "y": "Lisboa"}),
    ("Olvida que me gusta el sushi", "forget", {"x": "me gusta el sushi"}),
    ("Porto, pas Lisbonne", "replace", {"x": "Porto", "y": "Lisbonne"}),
    ("Oublie mon boulot", "forget", {"x": "boulot"}),
    ("Nicht Lissabon, sondern Porto", "replace", {"x": "Porto", "y": "Lissabon"}),
    ("Vergiss, dass ich Sushi mag", "forget", {"x": "ich Sushi mag"}),
    ("Non Lisbona, ma Porto", "replace", {"x": "Porto", "y": "Lisbona"}),
    ("Dimentica il sushi", "forget", {"x": "sushi"}),
]


@pytest.mark.parametrize(("text", "command", "slots"), SLOTS)
def test_slots_hold_the_persons_own_words(
    grammar: CorrectionGrammar, text: str, command: str, slots: dict[str, str]
) -> None:
    said = grammar.read(text).commands[-1]
    found = {slot: value for slot in ("x", "y", "name") if (value := getattr(said, slot))}
    assert (said.command, found) == (command, slots)


TALK = [
    "what's wrong?",
    "Actually I'm tired.",
    "wrong about the weather again",
    "I forgot my keys",
    "don't forget my birthday",
    "No, thanks.",
    "no idea what to do tonight",
    "Do you remember that I like ramen?",
    "아니 오늘 날씨 왜 이래",
    "Неправда ли, хороший день",
    "ليش الجو حار اليوم",
    "no quiero ir a casa",
    "Pas mal, et toi ?",
    "nicht schlecht heute",
    "non vedo l'ora",
]


@pytest.mark.parametrize("text", TALK)
def test_ordinary_talk_is_no_command(grammar: CorrectionGrammar, text: str) -> None:
    """C-70."""
    assert grammar.read(text).commands == ()


def test_a_new_value_needs_something_that_holds_the_old_one(grammar: CorrectionGrammar) -> None:
    """C-70: "x not y" alone is read as a correction and becomes one only where y is remembered."""
    (said,) = grammar.read("that's not true love").commands
    assert (said.command, said.y) == ("replace", "true love")


def test_a_command_leaves_the_rest_of_the_message(grammar: CorrectionGrammar) -> None:
    """C-63."""
    reading = grammar.read("That's not true. What is the capital of France?")
    assert [said.command for said in reading.commands] == ["deny"]
    assert reading.talk == ("What is the capital of France?",)
    reading = grammar.read("Yes, that's right, I live in Lisbon.")
    assert {said.command for said in reading.commands} == {"confirm"}
    assert reading.talk == ("I live in Lisbon.",)


AFFIRMED = [
    ("I don't live in Lisbon.", "i live in Lisbon."),
    ("my size is not M", "my size is M"),
    ("나 리스본에 안 살아", "나 리스본에 살아"),
    ("Мой размер не M", "Мой размер M"),
    ("مقاسي مو M", "مقاسي M"),
    ("No vivo en Madrid", "vivo en Madrid"),
    ("Je n'habite pas à Toulouse", "j'habite à Toulouse"),
    ("Ich wohne nicht in Hamburg", "Ich wohne in Hamburg"),
    ("Non vivo a Torino", "vivo a Torino"),
]


@pytest.mark.parametrize(("text", "affirmed"), AFFIRMED)
def test_a_denied_sentence_is_read_by_what_it_denies(grammar: CorrectionGrammar, text: str, affirmed: str) -> None:
    """CORR-10."""
    assert affirmed in grammar.affirmed(text)
