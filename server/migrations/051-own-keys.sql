-- The keys in a sandbox's files, by their hashes: this database was used with them, so a start without them refuses.
create table own_keys (
  file text not null,
  fingerprint bytea not null constraint own_keys_fingerprint check (length(fingerprint) = 32),
  primary key (file, fingerprint)
);
