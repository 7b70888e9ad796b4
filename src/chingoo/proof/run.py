"""Runs every law over a bundle, and everything that `chingoo policy check` does over files."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date

from chingoo.policy.bundle import Bundle
from chingoo.policy.compile import FileReader, LoadResult, load
from chingoo.proof.ageing import ageing_findings
from chingoo.proof.checks import (
    bounds_are_ordered,
    conditions_have_one_shape,
    corrections_can_be_read,
    countries_ask_for_more,
    dates_exist,
    emotion_tags_are_given,
    facts_are_known,
    facts_are_made,
    files_are_named_after_what_they_hold,
    gates_are_all_ordered,
    ids_are_unique,
    instant_phrases_can_be_read,
    keywords_are_not_shadowed,
    keywords_are_one_each,
    keywords_are_unique,
    keywords_can_match,
    lexicons_are_whole,
    lists_are_known,
    lists_are_not_both_wanted_and_barred,
    lists_are_unique,
    lists_are_used,
    memory_keys_exist,
    onboarding_answers_fit_their_kind,
    pairs_leave_room,
    pairs_need_two_phrases,
    patterns_compile,
    personas_differ,
    pieces_weigh_once,
    recall_numbers_agree,
    replies_are_complete,
    replies_are_known,
    replies_are_used,
    retention_hours_make_sense,
    retention_keys_are_harmless,
    retention_texts_fit_their_rung,
    retention_texts_hold_nobody_back,
    rules_end_in_a_default,
    signals_are_there,
    slots_can_be_filled,
    spoken_replies_are_written,
    stages_rise,
    synonyms_mean_one_thing,
    topics_keep_their_words,
    topics_reach_their_threshold,
    vocabularies_are_complete,
    weights_are_as_learnt,
)
from chingoo.proof.locked import locked_findings
from chingoo.proof.mirror import mirror_findings
from chingoo.proof.order import order_findings
from chingoo.proof.promises import Promises
from chingoo.proof.unwritten import unwritten
from chingoo.proof.walk import Subject
from chingoo.source.findings import Finding, has_errors, narrowed, sorted_findings
from chingoo.source.reader import Limits

CHECKS: tuple[Callable[[Subject], Iterable[Finding]], ...] = (
    bounds_are_ordered.check,
    conditions_have_one_shape.check,
    corrections_can_be_read.check,
    countries_ask_for_more.check,
    dates_exist.check,
    emotion_tags_are_given.check,
    facts_are_known.check,
    facts_are_made.check,
    files_are_named_after_what_they_hold.check,
    gates_are_all_ordered.check,
    ids_are_unique.check,
    instant_phrases_can_be_read.check,
    keywords_are_not_shadowed.check,
    keywords_are_one_each.check,
    keywords_are_unique.check,
    keywords_can_match.check,
    lexicons_are_whole.check,
    lists_are_known.check,
    lists_are_not_both_wanted_and_barred.check,
    lists_are_unique.check,
    lists_are_used.check,
    memory_keys_exist.check,
    onboarding_answers_fit_their_kind.check,
    pairs_leave_room.check,
    pairs_need_two_phrases.check,
    patterns_compile.check,
    personas_differ.check,
    pieces_weigh_once.check,
    recall_numbers_agree.check,
    replies_are_complete.check,
    replies_are_known.check,
    replies_are_used.check,
    retention_hours_make_sense.check,
    retention_keys_are_harmless.check,
    retention_texts_fit_their_rung.check,
    rules_end_in_a_default.check,
    signals_are_there.check,
    slots_can_be_filled.check,
    spoken_replies_are_written.check,
    stages_rise.check,
    synonyms_mean_one_thing.check,
    topics_keep_their_words.check,
    topics_reach_their_threshold.check,
    vocabularies_are_complete.check,
    weights_are_as_learnt.check,
    unwritten,
)

BUILDING: tuple[Callable[[Subject], Iterable[Finding]], ...] = (retention_texts_hold_nobody_back.check,)
"""Laws that look for words as the engine does. They need sound lists and lexicons, so other errors are told first."""

CheckResult = LoadResult
"""The bundle, or None when an error refuses the set, and all findings: of the files and of the laws."""


def check_all(bundle: Bundle) -> tuple[Finding, ...]:
    """Every breach of every law, sorted. Places are those of the documents; `check_files` knows them more exactly."""
    subject = Subject(bundle)
    found = [finding for check in CHECKS for finding in check(subject)]
    if not has_errors(found):
        found += [finding for check in BUILDING for finding in check(subject)]
    return sorted_findings(found)


def check_files(
    files: Mapping[str, str],
    schemas: Mapping[str, str],
    limits: Limits | None = None,
    *,
    promises: Promises | None = None,
    today: date | None = None,
    reader: FileReader | None = None,
) -> CheckResult:
    """Compile and judge. `files` are texts by path, `schemas` schema texts by file name (adapters.policy_files).

    With `promises` they are also held against PRODUCT.md and the locked defaults; with `today` against the days on
    which things are to be looked at again. For `reader` see `load`.
    """
    loaded = load(files, schemas, limits, reader=reader)
    trees = loaded.trees
    told = list(order_findings(trees, schemas))
    if promises is not None:
        told += [*mirror_findings(promises, files, trees), *locked_findings(promises, files, trees)]
    if loaded.bundle is not None:
        told += check_all(loaded.bundle)
        told += ageing_findings(Subject(loaded.bundle), today) if today is not None else ()
    judged = (narrowed(one, trees[one.place.file]) if one.place.file in trees else one for one in told)
    findings = sorted_findings([*loaded.findings, *judged])
    return CheckResult(None if has_errors(findings) else loaded.bundle, findings, trees)
