-- Memories that batches made and people are to look at, and what they say of them. No words of anybody but the reviewer.
create type review_verdict_word as enum ('correct', 'wrong_subject', 'false_fact', 'missed_sarcasm');

create table extraction_samples (
    user_id uuid not null,
    memory_id uuid not null,
    language text not null,
    revision text not null,
    sampled_at timestamptz not null,
    verdict review_verdict_word,
    note text,
    example text,
    who text,
    given_at timestamptz,
    constraint extraction_samples_pkey primary key (user_id, memory_id)
);
create index extraction_samples_judged on extraction_samples (revision, given_at) where verdict is not null;
create index extraction_samples_open on extraction_samples (sampled_at, memory_id) where verdict is null;
create index extraction_samples_by_id on extraction_samples using hash (memory_id);
