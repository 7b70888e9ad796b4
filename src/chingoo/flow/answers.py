"""The bodies that the API answers with, built from the values of the model (api.md)."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from chingoo.model.decision import Decision, ExtractedFact, RoutingDecision, Signals, TraceEntry
from chingoo.model.people import Controls, Friend, Memory, Relationship, StoredMessage, User

Body = dict[str, Any]


def instant(value: datetime | None) -> str | None:
    """RFC 3339 with an offset."""
    return None if value is None else value.isoformat()


def routing_body(routing: RoutingDecision) -> Body:
    """`routing` of evaluate and of a turn (TURN-02)."""
    return {
        "pipeline": routing.pipeline,
        "safety_policy": routing.safety_policy,
        "memory_read_policy": routing.memory_read_policy,
        "vector_search_policy": routing.vector_search_policy,
        "memory_write_policy": routing.memory_write_policy,
        "relationship_update_policy": routing.relationship_update_policy,
        "notes": list(routing.notes),
    }


def signals_body(signals: Signals) -> Body:
    """`signals` of evaluate and of a turn."""
    return {
        "user_text_norm": signals.user_text_norm,
        "norm_no_punct": signals.norm_no_punct,
        "token_estimate": signals.token_estimate,
        "language": signals.language,
        "topics": [
            {
                "topic": match.topic,
                "confidence": match.confidence,
                "hits": list(match.hits),
                "user_initiated": match.user_initiated,
            }
            for match in signals.topics
        ],
        "flags": {
            "is_question": signals.flags.is_question,
            "has_personal_pronoun": signals.flags.has_personal_pronoun,
            "has_distress": signals.flags.has_distress,
            "asks_for_comfort": signals.flags.asks_for_comfort,
            "is_pure_fact_q": signals.flags.is_pure_fact_q,
        },
        "heuristics": {
            "preference": signals.heuristics.preference,
            "fact": signals.heuristics.fact,
            "event": signals.heuristics.event,
            "correction": signals.heuristics.correction,
        },
        "valence": signals.valence,
        "emotion_tags": list(signals.emotion_tags),
        "crisis": {
            "detected": signals.crisis.detected,
            "level": signals.crisis.level,
            "phrases": list(signals.crisis.phrases),
        },
        "guard": {"blocked": signals.guard.blocked, "category": signals.guard.category},
    }


def fact_body(fact: ExtractedFact) -> Body:
    """One instant fact."""
    return {
        "type": fact.type,
        "memory_key": fact.memory_key,
        "memory_value": fact.memory_value,
        "confidence": fact.confidence,
        "extracted_from": fact.extracted_from,
        "expires_at": instant(fact.expires_at),
    }


def trace_body(trace: Iterable[TraceEntry]) -> list[Body]:
    """`trace`: why each rule and signal held."""
    return [
        {
            "rule": entry.rule,
            "file": entry.file,
            "line": entry.line,
            "because": entry.because,
            "matched": [
                {"entry": match.entry, "file": match.file, "line": match.line, "span": list(match.span)}
                for match in entry.matched
            ],
        }
        for entry in trace
    ]


def policy_body(decision: Decision) -> Body:
    """`policy`: which bundle decided, and by which rules."""
    return {"digest": decision.digest, "rules": list(decision.rules)}


def evaluate_body(decision: Decision, *, explain: bool) -> Body:
    """The whole body of `POST /v1/evaluate`."""
    body: Body = {
        "routing": routing_body(decision.routing),
        "signals": signals_body(decision.signals),
        "taboo_guard": list(decision.taboo_guard),
        "facts": [fact_body(fact) for fact in decision.facts],
        "reply": decision.reply,
        "policy": policy_body(decision),
    }
    if explain:
        body["trace"] = trace_body(decision.trace)
    return body


def user_body(user: User, controls: Controls, missing: Iterable[str]) -> Body:
    """The body of `GET /v1/users/{user_id}`; the age band shown is the effective one (S-15)."""
    answers = user.answers
    return {
        "user_id": str(user.user_id),
        "user_state": user.state,
        "onboarding": {
            "answers": {
                "preferred_name": answers.preferred_name,
                "age_band": None if answers.age_band is None else user.safety_age_band,
                "country_or_region": answers.country_or_region,
                "occupation_category": answers.occupation_category,
                "client_timezone": answers.client_timezone,
                "proactive_messages_enabled": controls.proactive_messages_enabled,
                "suppressed_topics": list(controls.suppressed_topics),
            },
            "missing": list(missing),
        },
        "controls": controls_body(controls),
    }


def controls_body(controls: Controls) -> Body:
    """The body of the controls routes."""
    return {
        "proactive_messages_enabled": controls.proactive_messages_enabled,
        "mute_until": instant(controls.mute_until),
        "suppressed_topics": list(controls.suppressed_topics),
        "suppressed_memory_keys": list(controls.suppressed_memory_keys),
        "intimate_mode": controls.intimate_mode,
        "intimate_persona": controls.intimate_persona,
    }


def friend_body(friend: Friend) -> Body:
    """A friend as it is made and listed."""
    style, combo = friend.assignment.stable_style_params, friend.assignment.combo_key
    return {
        "ai_friend_id": str(friend.ai_friend_id),
        "conversation_id": str(friend.conversation_id),
        "name": friend.name,
        "persona_template_id": friend.assignment.persona_template_id,
        "persona_seed": friend.assignment.persona_seed,
        "stable_style_params": {
            "msg_length_pref": style.msg_length_pref,
            "emoji_freq": style.emoji_freq,
            "humor_mode": style.humor_mode,
            "directness_level": style.directness_level,
            "followup_question_rate": style.followup_question_rate,
            "lexicon_bias": style.lexicon_bias,
            "punctuation_quirks": style.punctuation_quirks,
        },
        "combo_key": {
            "core_archetype": combo.core_archetype,
            "humor_mode": combo.humor_mode,
            "friend_energy": combo.friend_energy,
        },
        "fallback": friend.assignment.fallback,
        "assigned_at": instant(friend.assigned_at),
    }


def relationship_body(relationship: Relationship) -> Body:
    """The relationship as the friend routes show it."""
    return {
        "relationship_stage": relationship.relationship_stage,
        "rapport_score": relationship.rapport_score,
        "sessions_count": relationship.sessions_count,
        "last_interaction_at": instant(relationship.last_interaction_at),
        "last_session_at": instant(relationship.last_session_at),
        "last_stage_promotion_at": instant(relationship.last_stage_promotion_at),
    }


def message_body(message: StoredMessage) -> Body:
    """A message of the history; the text of a forgotten one is null."""
    return {
        "message_id": str(message.message_id),
        "role": message.role,
        "mode": message.mode,
        "text": message.text,
        "created_at": instant(message.created_at),
        "origin": message.origin,
        "surfaced_memory_ids": [str(memory_id) for memory_id in message.surfaced_memory_ids],
        "extracted_memory_candidate_ids": [str(memory_id) for memory_id in message.extracted_memory_candidate_ids],
        "is_forgotten": message.is_forgotten,
    }


def said_body(message: StoredMessage) -> Body:
    """A message where only who said what, and when, matters."""
    return {
        "message_id": str(message.message_id),
        "role": message.role,
        "text": message.text,
        "created_at": instant(message.created_at),
    }


def memory_body(memory: Memory) -> Body:
    """A memory as the memory routes show it."""
    return {
        "memory_id": str(memory.memory_id),
        "ai_friend_id": str(memory.ai_friend_id),
        "type": memory.type,
        "memory_key": memory.memory_key,
        "memory_value": memory.memory_value,
        "confidence": memory.confidence,
        "status": memory.status,
        "superseded_by": None if memory.superseded_by is None else str(memory.superseded_by),
        "invalid_reason": memory.invalid_reason,
        "is_disputed": memory.is_disputed,
        "expires_at": instant(memory.expires_at),
        "extracted_from": memory.extracted_from,
        "evidence_message_ids": [str(message_id) for message_id in memory.evidence_message_ids],
        "context_message_ids": [str(message_id) for message_id in memory.context_message_ids],
        "created_at": instant(memory.created_at),
        "last_confirmed_at": instant(memory.last_confirmed_at),
    }


def brief_memory_body(memory: Memory) -> Mapping[str, str]:
    """A memory as a turn's `memory` lists show it."""
    return {
        "memory_id": str(memory.memory_id),
        "memory_key": memory.memory_key,
        "memory_value": memory.memory_value,
    }
