-- Forgetting that can be taken back for a while, and erasure that cannot.

create table forgotten_messages (
    user_id uuid not null,
    message_id uuid not null,
    because_of uuid not null,
    undo_until timestamptz not null,
    constraint forgotten_messages_pkey primary key (user_id, message_id, because_of)
);
create index forgotten_messages_of_cause on forgotten_messages (user_id, because_of);

create table kept_words (
    user_id uuid not null,
    message_id uuid not null,
    text text not null,
    answer json,
    undo_until timestamptz not null,
    constraint kept_words_pkey primary key (user_id, message_id)
);
create index kept_words_due on kept_words (undo_until, user_id);

create table dropped_evidence (
    user_id uuid not null,
    message_id uuid not null,
    memory_id uuid not null,
    core boolean not null,
    constraint dropped_evidence_pkey primary key (user_id, message_id, memory_id, core)
);

create table erased_users (
    user_digest bytea not null,
    erased_at timestamptz not null,
    constraint erased_users_pkey primary key (user_digest),
    constraint erased_users_user_digest_check check (length(user_digest) = 32)
);

-- When a memory that the person had forgotten is erased with its history.
alter table memories add column forget_at timestamptz;
create index memories_to_forget on memories (forget_at, user_id) where forget_at is not null;

-- Whoever was erased is not made again, also by an insertion that waited for the erasure: what is read here is newer
-- than the statement that waited.
create function chingoo_stays_erased() returns trigger language plpgsql as $$
begin
    if exists (select from erased_users where user_digest = sha256(uuid_send(new.user_id))) then
        perform chingoo_refuse('ERASED');
    end if;
    return null;
end
$$;
create trigger stays_erased after insert on users for each row execute function chingoo_stays_erased();
