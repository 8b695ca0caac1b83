-- What the reader of a message is warned about, worked out when it is written. Null for a message from before this column: it is worked out
-- when it is read.
alter table messages add column warnings text[] constraint messages_warnings_check check (warnings <@ array['link', 'bank_details']);
