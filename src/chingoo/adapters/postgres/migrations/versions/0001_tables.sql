-- The first schema. tables/ holds the same as the one definition; a test compares the two.

create type user_state_word as enum ('CREATED', 'ONBOARDING', 'ACTIVE');
create type age_band_word as enum ('13-17', '18-24', '25-34', '35-44', '45+', 'unknown');
create type intimate_persona_word as enum ('playful', 'dominant', 'shy', 'caring');
create type length_word as enum ('short', 'medium', 'long');
create type emoji_freq_word as enum ('none', 'light', 'frequent');
create type humor_mode_word as enum ('none', 'light_sarcasm', 'frequent_jokes', 'deadpan');
create type directness_word as enum ('soft', 'balanced', 'blunt');
create type followup_rate_word as enum ('low', 'medium');
create type lexicon_bias_word as enum ('clean', 'slang', 'internet_shorthand');
create type core_archetype_word as enum (
    'Calm Listener', 'Warm Caregiver', 'Blunt Honest', 'Dry Humor', 'Playful Tease', 'Chaotic Internet Friend',
    'Gentle Coach', 'Soft Nerd', 'Hype Bestie', 'Low-Key Companion'
);
create type friend_energy_word as enum ('passive', 'balanced', 'proactive');
create type relationship_stage_word as enum ('STRANGER', 'ACQUAINTANCE', 'FRIEND', 'CLOSE_FRIEND');
create type mode_word as enum ('friend', 'intimate');
create type role_word as enum ('user', 'assistant');
create type source_word as enum ('chat', 'retention');
create type message_status_word as enum ('PROCESSING', 'COMPLETED');
create type reply_origin_word as enum ('llm', 'fixed', 'safe', 'offline');
create type memory_status_word as enum ('ACTIVE', 'SUPERSEDED', 'INVALID', 'EXPIRED');
create type extracted_from_word as enum (
    'onboarding', 'instant_pattern', 'heuristic', 'relation', 'llm', 'batch', 'explicit_input'
);
create type pipeline_word as enum ('ONBOARDING_CHAT', 'FRIEND_CHAT', 'EMOTIONAL_SUPPORT', 'INFO_QA', 'REFUSAL');
create type safety_policy_word as enum ('ALLOW', 'SOFT_REFUSE', 'HARD_REFUSE');
create type crisis_level_word as enum ('HIGH_RISK', 'CONTEXT', 'THIRD_PARTY');

create table users (
    user_id uuid not null,
    state user_state_word default 'CREATED' not null,
    preferred_name text,
    age_band age_band_word,
    country_or_region text,
    occupation_category text,
    client_timezone text,
    safety_age_band age_band_word default 'unknown' not null,
    claimed_under_13 boolean default false not null,
    mem_version bigint default 0 not null,
    created_at timestamptz not null,
    constraint users_pkey primary key (user_id),
    constraint users_age_band_check check (age_band <> 'unknown')
) with (fillfactor = 80);

create table controls (
    user_id uuid not null,
    proactive_messages_enabled boolean,
    mute_until timestamptz,
    suppressed_topics text[] default '{}' not null,
    suppressed_memory_keys text[] default '{}' not null,
    intimate_mode boolean default false not null,
    intimate_persona intimate_persona_word default 'caring' not null,
    constraint controls_pkey primary key (user_id),
    constraint controls_user_id_fkey foreign key (user_id) references users (user_id) on delete cascade,
    constraint controls_suppressed_topics_check check (suppressed_topics <@ array[
        'POLITICS', 'RELIGION', 'SEXUAL_CONTENT', 'SEXUAL_JOKES', 'MENTAL_HEALTH', 'SELF_HARM', 'SUBSTANCES',
        'GAMBLING', 'VIOLENCE', 'ILLEGAL_ACTIVITY', 'HATE_HARASSMENT', 'MEDICAL_HEALTH', 'PERSONAL_FINANCE',
        'RELATIONSHIPS', 'FAMILY', 'WORK_SCHOOL', 'TRAVEL', 'ENTERTAINMENT', 'TECH_GAMING'
    ]::text[])
);

create table friends (
    user_id uuid not null,
    ai_friend_id uuid not null,
    conversation_id uuid not null,
    name text,
    persona_template_id text not null,
    persona_seed bigint not null,
    msg_length_pref length_word not null,
    emoji_freq emoji_freq_word not null,
    humor_mode humor_mode_word not null,
    directness_level directness_word not null,
    followup_question_rate followup_rate_word not null,
    lexicon_bias lexicon_bias_word not null,
    punctuation_quirks smallint not null,
    combo_archetype core_archetype_word not null,
    combo_humor_mode humor_mode_word not null,
    combo_energy friend_energy_word not null,
    fallback boolean not null,
    assigned_at timestamptz not null,
    last_disclosed_at timestamptz,
    constraint friends_pkey primary key (user_id, ai_friend_id),
    constraint friends_user_id_fkey foreign key (user_id) references users (user_id) on delete cascade,
    constraint friends_persona_seed_check check (persona_seed between 0 and 4294967295),
    constraint friends_punctuation_quirks_check check (punctuation_quirks between 0 and 2)
);

create table relationships (
    user_id uuid not null,
    ai_friend_id uuid not null,
    relationship_stage relationship_stage_word default 'STRANGER' not null,
    rapport_score smallint default 0 not null,
    sessions_count integer default 0 not null,
    last_interaction_at timestamptz,
    last_session_at timestamptz,
    last_stage_promotion_at timestamptz,
    last_user_message_at timestamptz,
    last_decay_at timestamptz,
    session_disengaged integer default 0 not null,
    constraint relationships_pkey primary key (user_id, ai_friend_id),
    constraint relationships_user_id_fkey
        foreign key (user_id, ai_friend_id) references friends (user_id, ai_friend_id) on delete cascade,
    constraint relationships_rapport_score_check check (rapport_score between 0 and 100),
    constraint relationships_sessions_count_check check (sessions_count >= 0),
    constraint relationships_session_disengaged_check check (session_disengaged >= 0)
) with (fillfactor = 80);

create table conversation_owners (
    conversation_id uuid not null,
    user_id uuid not null,
    constraint conversation_owners_pkey primary key (conversation_id),
    constraint conversation_owners_user_id_fkey foreign key (user_id) references users (user_id) on delete cascade
);
create index conversation_owners_user_id_idx on conversation_owners (user_id);

create table conversations (
    user_id uuid not null,
    conversation_id uuid not null,
    ai_friend_id uuid not null,
    lease uuid,
    lease_message_id uuid,
    lease_until timestamptz,
    turn_seq bigint default 0 not null,
    message_seq bigint default 0 not null,
    last_received_at timestamptz,
    last_extraction_at timestamptz,
    pending_extraction_count integer default 0 not null,
    constraint conversations_pkey primary key (user_id, conversation_id),
    constraint conversations_user_id_key unique (user_id, ai_friend_id),
    constraint conversations_user_id_fkey
        foreign key (user_id, ai_friend_id) references friends (user_id, ai_friend_id) on delete cascade,
    constraint conversations_lease_check check (num_nulls(lease, lease_message_id, lease_until) in (0, 3)),
    constraint conversations_pending_extraction_count_check check (pending_extraction_count >= 0)
) with (fillfactor = 80);

create table messages (
    user_id uuid not null,
    message_id uuid not null,
    conversation_id uuid not null,
    mode mode_word not null,
    seq bigint not null,
    role role_word not null,
    source source_word not null,
    status message_status_word not null,
    text text,
    text_sha256 bytea,
    created_at timestamptz not null,
    admitted_at timestamptz default now() not null,
    activates boolean default false not null,
    client_locale text,
    client_timezone text,
    reply_to_id uuid,
    origin reply_origin_word,
    rewritten boolean default false not null,
    surfaced_memory_ids uuid[] default '{}' not null,
    extracted_memory_candidate_ids uuid[] default '{}' not null,
    is_forgotten boolean default false not null,
    answer json,
    constraint messages_pkey primary key (user_id, message_id),
    constraint messages_text_check check (text is not null or is_forgotten),
    constraint messages_text_sha256_check check (role = 'assistant' or text_sha256 is not null),
    constraint messages_answer_check check (role = 'assistant' or (status = 'COMPLETED') = (answer is not null)),
    constraint messages_reply_check
        check (role = 'user' or (status = 'COMPLETED' and origin is not null and reply_to_id is not null))
);
create unique index messages_history on messages (user_id, conversation_id, mode, seq);
create index messages_unanswered on messages (admitted_at, user_id, message_id) where role = 'user' and answer is null;

create table attempts (
    user_id uuid not null,
    message_id uuid not null,
    conversation_id uuid not null,
    ai_friend_id uuid not null,
    mode mode_word not null,
    source source_word not null,
    text_sha256 bytea not null,
    created_at timestamptz not null,
    answer json not null,
    constraint attempts_pkey primary key (user_id, message_id)
);

create table memories (
    user_id uuid not null,
    memory_id uuid not null,
    ai_friend_id uuid not null,
    type text not null,
    memory_key varchar(100) not null,
    memory_value text not null,
    confidence double precision not null,
    status memory_status_word not null,
    extracted_from extracted_from_word not null,
    created_at timestamptz not null,
    last_confirmed_at timestamptz not null,
    evidence_message_ids uuid[] default '{}' not null,
    context_message_ids uuid[] default '{}' not null,
    superseded_by uuid,
    invalid_reason text,
    is_disputed boolean default false not null,
    expires_at timestamptz,
    updated_at timestamptz default now() not null,
    constraint memories_pkey primary key (user_id, memory_id),
    constraint memories_superseded_by_fkey
        foreign key (user_id, superseded_by) references memories (user_id, memory_id) deferrable initially deferred,
    constraint memories_confidence_check check (confidence between 0 and 1),
    constraint memories_evidence_check check (cardinality(evidence_message_ids) > 0 or extracted_from = 'onboarding'),
    constraint memories_expires_at_check check ((type = 'life_event') = (expires_at is not null)),
    constraint memories_superseded_by_check check (superseded_by <> memory_id)
);
create index memories_evidence on memories using gin (evidence_message_ids);
create index memories_expiring on memories (expires_at, user_id) where status = 'ACTIVE' and expires_at is not null;
create unique index memories_one_active on memories (user_id, ai_friend_id, memory_key) where status = 'ACTIVE';

create table corrections (
    user_id uuid not null,
    correction_id uuid not null,
    trigger_message_id uuid not null,
    corrected_message_id uuid,
    deactivated_memory_id uuid,
    disputed_memory_id uuid,
    correction_type varchar(30) not null,
    created_at timestamptz not null,
    constraint corrections_pkey primary key (user_id, correction_id)
);
create index corrections_newest on corrections (user_id, created_at);

create table decisions (
    user_id uuid not null,
    decision_id uuid not null,
    trace_id uuid not null,
    message_id uuid not null,
    received_at timestamptz not null,
    pipeline pipeline_word not null,
    safety_policy safety_policy_word not null,
    rules text[] not null,
    digest text not null,
    facts_record jsonb not null,
    spans jsonb not null,
    timings_ms jsonb not null,
    language text not null,
    constraint decisions_pkey primary key (user_id, decision_id)
);
create index decisions_of_pipeline on decisions (pipeline, received_at, decision_id);
create index decisions_of_user on decisions (user_id, received_at, decision_id);

create table guard_log (
    user_id uuid not null,
    message_id uuid not null,
    category text not null,
    language text not null,
    created_at timestamptz not null,
    constraint guard_log_pkey primary key (user_id, message_id)
);
create index guard_log_newest on guard_log (created_at, message_id, user_id);
create index guard_log_of_user on guard_log (user_id, created_at, message_id);

create table crisis_log (
    user_id uuid not null,
    message_id uuid not null,
    level crisis_level_word not null,
    phrases text[] not null,
    language text not null,
    created_at timestamptz not null,
    constraint crisis_log_pkey primary key (user_id, message_id)
);
create index crisis_log_newest on crisis_log (created_at, message_id, user_id);
create index crisis_log_of_user on crisis_log (user_id, created_at, message_id);

create table llm_calls (
    user_id uuid not null,
    call_id uuid not null,
    message_id uuid not null,
    operation text not null,
    provider text not null,
    model text not null,
    input_tokens integer not null,
    output_tokens integer not null,
    duration_ms double precision not null,
    cost_usd double precision not null,
    error text,
    created_at timestamptz default now() not null,
    constraint llm_calls_pkey primary key (user_id, call_id)
);

create table persona_assignments (
    assignment_id bigint generated always as identity,
    assigned_at timestamptz not null,
    combo_key text not null,
    constraint persona_assignments_pkey primary key (assignment_id)
);
create index persona_assignments_window on persona_assignments (assigned_at, combo_key);

create table persona_assignment_minutes (
    minute timestamptz not null,
    combo_key text not null,
    assignments integer not null,
    constraint persona_assignment_minutes_pkey primary key (minute, combo_key),
    constraint persona_assignment_minutes_assignments_check check (assignments > 0)
);

create table after_turn_due (
    user_id uuid not null,
    settled_at timestamptz default now() not null,
    constraint after_turn_due_pkey primary key (user_id)
);

create table policy_switches (
    switch_id bigint generated always as identity,
    digest text not null,
    who text not null,
    reason text not null,
    switched_at timestamptz not null,
    constraint policy_switches_pkey primary key (switch_id)
);

-- Undo the whole statement that calls this, and tell the caller why.
create function chingoo_refuse(reason text) returns text language plpgsql as $$
begin
    raise exception '%', reason using errcode = 'CH001';
end
$$;
