-- outside a transaction
-- A business's newest first messages.
create index concurrently conversations_seller on conversations (seller_id, created_at desc) include (answered_at);
