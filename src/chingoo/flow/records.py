"""What a turn hands to evaluation, and the log rows that follow from its decision."""

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

from chingoo.flow.compiled import CompiledPolicy
from chingoo.flow.identity import crisis_event_id
from chingoo.model.decision import Decision, EvaluationInput, Utterance
from chingoo.model.enums import SafetyPolicy, UserState
from chingoo.model.turn import CrisisEvent, CrisisLogRow, GuardLogRow, Known, TurnRequest


def evaluation_input(compiled: CompiledPolicy, request: TurnRequest, known: Known) -> EvaluationInput:
    """The message and everything known that a decision may depend on; history of both modes, for the crisis check."""
    template = None
    if known.friend is not None:
        template = compiled.bundle.personas.get(known.friend.assignment.persona_template_id)
    return EvaluationInput(
        text=request.text,
        received_at=known.received_at,
        user_state=UserState.ONBOARDING if known.activated else known.user.state,
        age_band=known.user.safety_age_band,
        mode=request.mode,
        source=request.source,
        country=known.user.answers.country_or_region,
        client_locale=request.client_locale,
        client_timezone=request.client_timezone or known.user.answers.client_timezone,
        history=tuple(Utterance(message.role, message.text) for message in known.history if message.text is not None),
        suppressed_topics=frozenset(known.controls.suppressed_topics),
        taboo_soft_bounds=frozenset(template.taboo_soft_bounds) if template else frozenset(),
        claimed_under_13=known.user.claimed_under_13,
    )


def zone_of(request: TurnRequest, known: Known) -> tzinfo:
    """The person's time zone: of this client, else as they said; UTC where neither is known (S-22)."""
    name = request.client_timezone or known.user.answers.client_timezone
    return ZoneInfo(name) if name else UTC


def crisis_row(decision: Decision) -> CrisisLogRow | None:
    """The crisis log's row (CRISIS-09), or None."""
    crisis = decision.signals.crisis
    if crisis.level is None:
        return None
    return CrisisLogRow(level=crisis.level, phrases=crisis.phrases, language=decision.signals.language)


def crisis_event(request: TurnRequest, known: Known, decision: Decision) -> CrisisEvent | None:
    """What a human is told of it, or None."""
    level = decision.signals.crisis.level
    if level is None:
        return None
    return CrisisEvent(
        event_id=crisis_event_id(request.user_id, request.message_id),
        user_id=request.user_id,
        message_id=request.message_id,
        level=level,
        language=decision.signals.language,
        country=known.user.answers.country_or_region,
        created_at=known.received_at,
    )


def guard_row(decision: Decision) -> GuardLogRow | None:
    """The guard log's row (GUARD-10): a guard hit, or a hard refusal under its rule's id; never beside a crisis."""
    if decision.signals.crisis.detected or decision.routing.safety_policy is not SafetyPolicy.HARD_REFUSE:
        return None
    return GuardLogRow(
        category=decision.signals.guard.category or decision.rules[0], language=decision.signals.language
    )
