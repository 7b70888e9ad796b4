"""Samples of what batches made of people's words, for editors to look at (BATCH-13)."""

from collections.abc import Sequence

from chingoo.web.answers.operations import ExtractionSample, ExtractionSamples
from chingoo.web.bodies import Nothing, ReviewGiven
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.queries import SamplesQuery
from chingoo.web.services import Reviews

_EDITOR = frozenset({Caller.EDITOR})


def review_routes(reviews: Reviews) -> Sequence[AnyEndpoint]:
    """`/v1/extractions/samples` and their verdicts."""

    async def list_samples(call: Call[Nothing, SamplesQuery]) -> Answer:
        return as_json(await reviews.samples(call.query.judged, call.query.limit))

    async def review_sample(call: Call[ReviewGiven, Nothing]) -> Answer:
        body = call.body
        note, example = (None if text is None else str(text).strip() for text in (body.note, body.example))
        memory_id, who = call.path["memory_id"], call.principal.name
        return as_json(await reviews.review(memory_id, body.verdict, note, example, who))

    return (
        Endpoint(
            method="GET",
            path="/v1/extractions/samples",
            name="list_extraction_samples",
            tag="logs",
            summary="Read the samples of what batches made",
            description="Ids only: the memory and its evidence are read at `/v1/users/{user_id}/memories/{memory_id}/"
            "history` and `…/evidence`. Those that wait come oldest first; with `judged`, the newest verdicts first, "
            "whose examples make lines for a golden test. What is forgotten is in neither.",
            handle=list_samples,
            callers=_EDITOR,
            query=SamplesQuery,
            answers={200: ExtractionSamples},
            problems=(503,),
        ),
        Endpoint(
            method="POST",
            path="/v1/extractions/samples/{memory_id:uuid}/verdict",
            name="review_extraction_sample",
            tag="logs",
            summary="Say whether a memory that a batch made is right",
            description="`correct`, `wrong_subject` (it is about somebody else), `false_fact` or `missed_sarcasm`. A "
            "later verdict replaces it. Too many wrong ones stop the batches. Write nothing that a person said, "
            "neither into the note nor into `example`: a sentence of your own that would be mistaken in the same way.",
            handle=review_sample,
            callers=_EDITOR,
            body=ReviewGiven,
            query=Nothing,
            answers={200: ExtractionSample},
            problems=(404, 503),
            example={"verdict": "missed_sarcasm", "example": "Oh sure, I simply adore queueing"},
        ),
    )
