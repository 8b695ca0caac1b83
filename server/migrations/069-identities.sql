-- Accounts at Google or Apple that sign in to an account here. `subject` is the provider's id for the person, which never changes; the address may.
create table identities (
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider in ('google', 'apple')),
  subject text not null check (length(subject) between 1 and 255),
  email text not null check (length(email) <= 254),
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (user_id, provider),
  constraint identities_subject_key unique (provider, subject)
);
create constraint trigger identities_audited_new after insert or delete on identities deferrable initially deferred
  for each row execute function audit_change('{user_id,provider}');
create constraint trigger identities_audited after update of user_id, provider, subject on identities deferrable initially deferred
  for each row when ((old.user_id, old.provider, old.subject) is distinct from (new.user_id, new.provider, new.subject))
  execute function audit_change('{user_id,provider}', '{subject}');

-- Browsers that are at a provider's page. Used once; only hashes of the state and of the browser's cookie are stored.
create table provider_visits (
  state_hash bytea primary key check (length(state_hash) = 32),
  browser_hash bytea not null check (length(browser_hash) = 32),
  provider text not null check (provider in ('google', 'apple')),
  purpose text not null check (purpose in ('sign-in', 'connect', 'confirm')),
  nonce text not null check (length(nonce) between 20 and 100),
  code_verifier text not null check (length(code_verifier) between 43 and 128),
  return_to text not null check (return_to ~ '^/' and length(return_to) <= 2000),
  -- Who connects or confirms, in which session.
  user_id uuid references users on delete cascade,
  session_id uuid references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  constraint provider_visits_user_check check (num_nonnulls(user_id, session_id) = case purpose when 'sign-in' then 0 else 2 end)
);
create index provider_visits_user on provider_visits (user_id) where user_id is not null;
create index provider_visits_session on provider_visits (session_id) where session_id is not null;
create index provider_visits_expiry on provider_visits (expires_at);

-- Identities that wait: for the name of a new account, or for the link sent to the account whose address they have.
create table waiting_identities (
  token_hash bytea primary key check (length(token_hash) = 32),
  provider text not null check (provider in ('google', 'apple')),
  subject text not null check (length(subject) between 1 and 255),
  email citext not null check (length(email::text) between 3 and 254),
  -- The account of the emailed link. Null: a new account.
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null
);
create index waiting_identities_user on waiting_identities (user_id) where user_id is not null;
create index waiting_identities_expiry on waiting_identities (expires_at);
