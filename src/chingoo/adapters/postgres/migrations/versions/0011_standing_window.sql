-- One standing count in place of counts by minute and by hour: a window is walked to from there. It is made anew from
-- the assignments when the first friend is given out, so nothing is moved here.
create table persona_assignment_standing (
    standing_id smallint not null,
    window_length interval not null,
    ended timestamptz not null,
    counts jsonb not null,
    constraint persona_assignment_standing_pkey primary key (standing_id),
    constraint persona_assignment_standing_only_one_check check (standing_id = 1),
    constraint persona_assignment_standing_counts_check check (jsonb_typeof(counts) = 'object')
);

drop table persona_assignment_minutes;
drop table persona_assignment_hours;
