-- outside a transaction
-- Who else has saved a card, or paid with it.
drop index concurrently if exists cards_shared;
create index concurrently cards_shared on cards (fingerprint) where fingerprint is not null;
drop index concurrently if exists payments_card;
create index concurrently payments_card on payments (card_fingerprint) where card_fingerprint is not null;
