-- A day of minutes is as long as a day of rows where one friend comes after the other; a day of hours is not.
create table persona_assignment_hours (
    hour timestamptz not null,
    combo_key text not null,
    assignments integer not null,
    constraint persona_assignment_hours_pkey primary key (hour, combo_key),
    constraint persona_assignment_hours_assignments_check check (assignments > 0)
);

insert into persona_assignment_hours (hour, combo_key, assignments)
select date_trunc('hour', minute, 'UTC'), combo_key, sum(assignments)
from persona_assignment_minutes
group by 1, 2;
