-- Queue the after-turn job of a user, unless one is waiting already; whether one was queued.
-- The table's own triggers note the event and wake the workers. The queue name, the task name and the two locks are
-- those of adapters/jobs.py.
create function chingoo_defer_after_turn(who uuid) returns boolean language plpgsql as $$
begin
    insert into procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args)
    values ('chingoo', 'after_turn', 'after_turn:' || who, 'after_turn:' || who, jsonb_build_object('user_id', who))
    on conflict (queueing_lock) where status = 'todo' do nothing;
    return found;
end
$$;
