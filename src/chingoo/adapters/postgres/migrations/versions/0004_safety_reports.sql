-- Counts of guard hits and crises by month, and the events that tell a human of a crisis.

create table safety_counts (
    month date not null,
    log text not null,
    category text not null,
    level text not null,
    language text not null,
    slot smallint not null,
    events bigint not null,
    constraint safety_counts_pkey primary key (month, log, category, level, language, slot),
    constraint safety_counts_events_check check (events > 0)
);

create table crisis_events (
    user_id uuid not null,
    event_id uuid not null,
    message_id uuid not null,
    level crisis_level_word not null,
    language text not null,
    country text,
    created_at timestamptz not null,
    due_at timestamptz default now() not null,
    tries integer default 0 not null,
    delivered_at timestamptz,
    constraint crisis_events_pkey primary key (user_id, event_id)
);
create index crisis_events_due on crisis_events (due_at) where delivered_at is null;
