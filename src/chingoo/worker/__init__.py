"""The worker: runs the queue and the schedule, beside the API or alone."""
