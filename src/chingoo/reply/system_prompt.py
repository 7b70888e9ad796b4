"""The system prompt: what is the same for all, then the friend, then what holds for now (PROMPT-01…05, LLM-06)."""

from collections.abc import Iterable

from chingoo.model.enums import Mode, TopicID
from chingoo.policy.bundle import Bundle
from chingoo.policy.documents.planning import PromptPolicy
from chingoo.policy.documents.voices import Voice
from chingoo.reply.fill import bullets, filled
from chingoo.reply.gates import in_words
from chingoo.reply.neutralise import clean_name
from chingoo.reply.prompt_input import PromptInput


def system_prompt(bundle: Bundle, given: PromptInput) -> str:
    """All parts with a blank line between them. Holds rules only; no word of the person's but the friend's name."""
    policy = bundle.planning.prompt
    texts = policy.system
    parts = [
        texts.rules,
        texts.arbitration,
        texts.naturalness,
        texts.language,
        texts.protocol,
        _persona(bundle, given),
        targets_text(bundle, given),
        policy.modes[given.mode],
    ]
    if given.mode is Mode.INTIMATE:
        parts.append(_voice(policy, bundle.voices[given.voice]))
    if given.minor:
        parts.append(policy.minor)
    parts.append(filled(texts.stage, stage=given.stage.value, text=policy.stages[given.stage]))
    parts += _topics(bundle, given)
    return "\n\n".join(part.strip() for part in parts)


def topic_names(policy: PromptPolicy, topics: Iterable[TopicID]) -> str:
    """Topics by their readable names, in the order of their ids."""
    wanted = set(topics)
    return ", ".join(policy.topic_names[topic] for topic in TopicID if topic in wanted)


def _persona(bundle: Bundle, given: PromptInput) -> str:
    policy, voice = bundle.planning.prompt, given.template.voice
    name = clean_name(policy, bundle.context.budget, given.friend_name)
    return filled(
        policy.system.persona,
        name="" if name is None else f", {name}",
        about=voice.about,
        notes=voice.notes,
        expression=policy.style.expression[given.template.emotional_expression_level],
        dos=bullets(voice.dos),
        donts=bullets(voice.donts),
        hints=", ".join(given.template.lexicon_bias.hint_tokens),
    )


def targets_text(bundle: Bundle, given: PromptInput) -> str:
    """The friend's parameters as targets with numbers (PROMPT-01, PLAN-03)."""
    policy, style = bundle.planning.prompt, given.style
    quirks = given.plan.constraints.quirks
    habits = ", ".join(name.replace("_", " ") for name in quirks)
    return filled(
        policy.system.targets,
        length=length_text(bundle, given),
        emoji=emoji_text(bundle, given),
        humor=policy.style.humor[style.humor_mode],
        directness=policy.style.directness[style.directness_level],
        followup=_followup_text(bundle, given),
        lexicon=filled(policy.style.lexicon[style.lexicon_bias], slang=str(bundle.gates.lexicon.slang_per_sentence)),
        quirks=filled(policy.style.quirks_some, quirks=habits) if quirks else policy.style.quirks_none,
    )


def length_text(bundle: Bundle, given: PromptInput) -> str:
    """The friend's length, in numbers."""
    band, shown = given.plan.constraints.sentences, bundle.gates.shown
    return filled(
        bundle.planning.prompt.style.length[given.style.msg_length_pref],
        sentences=in_words(shown, [band.min_sentences, band.max_sentences]),
        words=in_words(shown, [band.min_words, band.max_words]),
    )


def emoji_text(bundle: Bundle, given: PromptInput) -> str:
    """The friend's emoji, in numbers."""
    band = given.plan.constraints.emoji
    text = bundle.planning.prompt.style.emoji[given.style.emoji_freq]
    return filled(text, count=in_words(bundle.gates.shown, [band.min, band.max]))


def _followup_text(bundle: Bundle, given: PromptInput) -> str:
    window = given.plan.constraints.questions
    return filled(
        bundle.planning.prompt.style.followup[given.style.followup_question_rate],
        questions=str(window.questions),
        replies=str(window.replies),
        most=str(bundle.gates.questions.per_reply),
    )


def _voice(policy: PromptPolicy, voice: Voice) -> str:
    return filled(
        policy.system.voice,
        id=voice.id.value,
        about=voice.about,
        rhythm=voice.rhythm,
        anchors=" / ".join(voice.anchors),
        instead=bullets(f'say "{wording.say}" and not "{wording.avoid}"' for wording in voice.instead),
        dos=bullets(voice.dos),
        donts=bullets(voice.donts),
    )


def _topics(bundle: Bundle, given: PromptInput) -> list[str]:
    """Which topics to leave alone; a topic is named once, where the rule is strictest (POL-06…10, SAFE-12)."""
    policy = bundle.planning.prompt
    suppressed = given.suppressed_topics
    sensitive = set(bundle.topics.sensitive) - suppressed
    taboo = set(given.template.taboo_soft_bounds) - suppressed - sensitive
    texts = policy.system
    parts = ((texts.topics_sensitive, sensitive), (texts.topics_taboo, taboo), (texts.topics_suppressed, suppressed))
    return [filled(text, topics=_topics_by_id(policy, topics)) for text, topics in parts if topics]


def _topics_by_id(policy: PromptPolicy, topics: Iterable[TopicID]) -> str:
    wanted = set(topics)
    return ", ".join(f"{topic.value} ({policy.topic_names[topic]})" for topic in TopicID if topic in wanted)
