-- Keys of memories that are sealed at rest, and which data keys they are sealed under.

alter table memories alter column memory_key type text;
alter table memories add constraint memories_memory_key_check
    check (length(memory_key) <= 100 or memory_key like 'sealed:%');

create table data_keys (
    key_id text not null,
    proof text not null,
    first_used_at timestamptz not null,
    constraint data_keys_pkey primary key (key_id)
);
