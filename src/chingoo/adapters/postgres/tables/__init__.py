"""All tables, as the one definition that migrations are compared with; nothing outside this adapter imports them."""

from chingoo.adapters.postgres.tables import conversations, forgetting, logs, memories, people, policies, upkeep
from chingoo.adapters.postgres.tables.base import METADATA

__all__ = ["METADATA", "conversations", "forgetting", "logs", "memories", "people", "policies", "upkeep"]
