-- Stored policy sets, which process decides by which, counts of entries, verdicts on decisions.

create type verdict_word as enum ('right', 'false_alarm', 'missed');

create table policy_bundles (
    digest text not null,
    packed bytea not null,
    created_at timestamptz default now() not null,
    constraint policy_bundles_pkey primary key (digest)
);
-- Compressed as they come.
alter table policy_bundles alter column packed set storage external;

create table policy_processes (
    process_id text not null,
    kind text not null,
    digest text not null,
    seen_at timestamptz not null,
    constraint policy_processes_pkey primary key (process_id)
);

create table policy_hits (
    day date not null,
    digest text not null,
    entry text not null,
    hits bigint not null,
    refusals bigint not null,
    constraint policy_hits_pkey primary key (day, digest, entry),
    constraint policy_hits_refusals_check check (refusals between 0 and hits)
);

create table decision_verdicts (
    user_id uuid not null,
    decision_id uuid not null,
    verdict verdict_word not null,
    note text,
    who text not null,
    given_at timestamptz not null,
    constraint decision_verdicts_pkey primary key (user_id, decision_id)
);

-- A verdict names its decision alone. A hash: only ever asked for one id, and half the size of a tree.
create index decisions_by_id on decisions using hash (decision_id);
