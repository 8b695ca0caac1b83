-- outside a transaction
-- Who may be asked how it went: conversations by their last message.
create index concurrently participants_last_message on participants (last_message_at) where role = 'buyer';
