-- One row for each batch, from before the model is asked: a row that says `unfinished` keeps others off the messages.
create table extraction_runs (
    user_id uuid not null,
    run_id uuid not null,
    conversation_id uuid not null,
    triggered_by text not null,
    up_to bigint not null,
    messages_analyzed integer not null,
    deltas_applied integer not null,
    counts jsonb not null,
    llm_model text,
    input_tokens integer not null,
    output_tokens integer not null,
    duration_ms double precision not null,
    error text,
    created_at timestamptz not null,
    constraint extraction_runs_pkey primary key (user_id, run_id)
);
create index extraction_runs_newest on extraction_runs (user_id, created_at);

-- Up to which message of a conversation a batch has looked.
alter table conversations add column extracted_seq bigint default 0 not null;

-- How often what batches learned was wrong.
create index memories_of_batches on memories (created_at) where extracted_from = 'batch';
