"""Columns of people as they are selected, and the values made of them."""

from collections.abc import Mapping
from typing import Any

from chingoo.adapters.postgres.vault import Vault
from chingoo.model.enums import (
    AgeBand,
    CoreArchetype,
    Directness,
    EmojiFreq,
    FollowupRate,
    FriendEnergy,
    HumorMode,
    IntimatePersona,
    Length,
    LexiconBias,
    RelationshipStage,
    TopicID,
    UserState,
)
from chingoo.model.people import (
    Answers,
    Assignment,
    ComboKey,
    Controls,
    Friend,
    Relationship,
    StableStyleParams,
    User,
)

Row = Mapping[str, Any]

USER = """
    u.user_id, u.state, u.preferred_name, u.age_band, u.country_or_region, u.occupation_category, u.client_timezone,
    u.safety_age_band, u.claimed_under_13, u.mem_version"""

CONTROLS = """
    k.proactive_messages_enabled, k.mute_until, k.suppressed_topics, k.suppressed_memory_keys, k.intimate_mode,
    k.intimate_persona"""

FRIEND = """
    f.ai_friend_id, f.conversation_id, f.name, f.persona_template_id, f.persona_seed, f.msg_length_pref, f.emoji_freq,
    f.humor_mode, f.directness_level, f.followup_question_rate, f.lexicon_bias, f.punctuation_quirks,
    f.combo_archetype, f.combo_humor_mode, f.combo_energy, f.fallback, f.assigned_at, f.last_disclosed_at"""

RELATIONSHIP = """
    r.relationship_stage, r.rapport_score, r.sessions_count, r.last_interaction_at, r.last_session_at,
    r.last_stage_promotion_at, r.last_user_message_at, r.last_decay_at, r.session_disengaged"""

MISSING = """array(
        select wanted.name from unnest(%(required)s::text[]) with ordinality as wanted (name, place)
        where case wanted.name
            when 'preferred_name' then u.preferred_name
            when 'age_band' then u.age_band::text
            when 'country_or_region' then u.country_or_region
            when 'occupation_category' then u.occupation_category
            when 'client_timezone' then u.client_timezone
            else '' end is null
        order by wanted.place)"""
"""The required answers that user `u` has not given; what has a default is never missing (ONB-05)."""


def user_of(row: Row) -> User:
    """From the columns of USER."""
    age_band = row["age_band"]
    return User(
        user_id=row["user_id"],
        state=UserState(row["state"]),
        answers=Answers(
            preferred_name=row["preferred_name"],
            age_band=None if age_band is None else AgeBand(age_band),
            country_or_region=row["country_or_region"],
            occupation_category=row["occupation_category"],
            client_timezone=row["client_timezone"],
        ),
        safety_age_band=AgeBand(row["safety_age_band"]),
        mem_version=row["mem_version"],
        claimed_under_13=row["claimed_under_13"],
    )


def controls_of(row: Row, vault: Vault) -> Controls:
    """From the columns of CONTROLS and USER. What the person has not said is on for adults only (ONB-05)."""
    proactive = row["proactive_messages_enabled"]
    return Controls(
        proactive_messages_enabled=AgeBand(row["safety_age_band"]).is_adult if proactive is None else proactive,
        mute_until=row["mute_until"],
        suppressed_topics=tuple(map(TopicID, row["suppressed_topics"])),
        suppressed_memory_keys=tuple(vault.open_key(row["user_id"], key) for key in row["suppressed_memory_keys"]),
        intimate_mode=row["intimate_mode"],
        intimate_persona=IntimatePersona(row["intimate_persona"]),
    )


def friend_of(row: Row) -> Friend:
    """From the columns of FRIEND and `user_id`."""
    return Friend(
        user_id=row["user_id"],
        ai_friend_id=row["ai_friend_id"],
        conversation_id=row["conversation_id"],
        name=row["name"],
        assignment=Assignment(
            persona_template_id=row["persona_template_id"],
            persona_seed=row["persona_seed"],
            stable_style_params=StableStyleParams(
                msg_length_pref=Length(row["msg_length_pref"]),
                emoji_freq=EmojiFreq(row["emoji_freq"]),
                humor_mode=HumorMode(row["humor_mode"]),
                directness_level=Directness(row["directness_level"]),
                followup_question_rate=FollowupRate(row["followup_question_rate"]),
                lexicon_bias=LexiconBias(row["lexicon_bias"]),
                punctuation_quirks=row["punctuation_quirks"],
            ),
            combo_key=ComboKey(
                core_archetype=CoreArchetype(row["combo_archetype"]),
                humor_mode=HumorMode(row["combo_humor_mode"]),
                friend_energy=FriendEnergy(row["combo_energy"]),
            ),
            fallback=row["fallback"],
        ),
        assigned_at=row["assigned_at"],
    )


def relationship_of(row: Row) -> Relationship:
    """From the columns of RELATIONSHIP."""
    return Relationship(
        relationship_stage=RelationshipStage(row["relationship_stage"]),
        rapport_score=row["rapport_score"],
        sessions_count=row["sessions_count"],
        last_interaction_at=row["last_interaction_at"],
        last_session_at=row["last_session_at"],
        last_stage_promotion_at=row["last_stage_promotion_at"],
        last_user_message_at=row["last_user_message_at"],
        last_decay_at=row["last_decay_at"],
        session_disengaged=row["session_disengaged"],
    )
