-- The secret of an authenticator app, sealed with a key that is not in the database (server/src/kit/keyring.ts). What stands readable from
-- before is sealed by the next process that works off jobs.
alter table authenticators
  alter column secret drop not null,
  add column key_id text,
  add column sealed bytea,
  add constraint authenticators_sealed check (num_nonnulls(key_id, sealed) in (0, 2) and num_nonnulls(secret, sealed) = 1);

-- What an account wrote by the contact form is found by its address.
create index contact_messages_address on contact_messages (lower(email));
