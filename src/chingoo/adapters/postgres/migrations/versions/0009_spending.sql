create index llm_calls_spent on llm_calls (user_id, created_at) include (cost_usd);
