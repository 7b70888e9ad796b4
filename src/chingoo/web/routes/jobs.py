"""Running a job by hand."""

from collections.abc import Sequence

from chingoo.web.answers.operations import JobDone
from chingoo.web.bodies import JobRun, Nothing
from chingoo.web.credentials import Caller
from chingoo.web.endpoint import Answer, AnyEndpoint, Call, Endpoint, as_json
from chingoo.web.services import Jobs


def job_routes(jobs: Jobs) -> Sequence[AnyEndpoint]:
    """`POST /v1/jobs/{name}/run`."""

    async def run_job(call: Call[JobRun, Nothing]) -> Answer:
        user_ids = None if call.body.user_ids is None else tuple(dict.fromkeys(call.body.user_ids))
        return as_json(await jobs.run(call.path["name"], call.instant(call.body.now), user_ids))

    return (
        Endpoint(
            method="POST",
            path="/v1/jobs/{name:str}/run",
            name="run_job",
            tag="jobs",
            summary="Run a job now",
            description="As of `now`, for all users or those given; the worker runs the same jobs on schedule. "
            "404 names the jobs there are.",
            handle=run_job,
            callers=frozenset({Caller.OPERATOR}),
            body=JobRun,
            answers={200: JobDone},
            problems=(404, 503),
            example={"now": "2026-03-02T12:00:00+00:00"},
        ),
    )
