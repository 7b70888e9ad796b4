-- An assignment that kept the cap keeps it whatever arrives later; a fallback never did. What was given out before this
-- column is taken to have kept it.
alter table persona_assignments add column fallback boolean default false not null;
