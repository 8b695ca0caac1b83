-- A file of businesses that an administrator uploaded: a dry run until it is executed.
create table invitation_imports (
  id uuid primary key default uuidv7(),
  administrator_id uuid not null references users,
  file_hash bytea not null check (length(file_hash) = 32),
  country text not null check (country in ('NZ', 'AU')),
  -- Columns that were not read: [{ name, reason }].
  ignored_columns jsonb not null,
  row_count int not null check (row_count between 1 and 10000),
  created_at timestamptz not null,
  -- Why the businesses may be emailed; stated with the execution.
  basis text check (basis in ('consent', 'existing_relationship', 'published_address')),
  executed_at timestamptz,
  finished_at timestamptz,
  constraint invitation_imports_basis check ((basis is null) = (executed_at is null)),
  constraint invitation_imports_finished check (finished_at >= executed_at)
);
create index invitation_imports_dry on invitation_imports (created_at) where executed_at is null;
create index invitation_imports_administrator on invitation_imports (administrator_id);

-- Dry runs and executions are recorded in the audit log.
create constraint trigger invitation_imports_audited after insert or update of executed_at on invitation_imports deferrable initially deferred
  for each row execute function audit_change('{administrator_id,country,row_count,basis,executed_at}');

-- What happens to each row of a file: as planned, and once it is applied, as done.
create table invitation_import_rows (
  import_id uuid not null references invitation_imports on delete cascade,
  -- In the file, from 1; the header is usually 1.
  line int not null check (line >= 1),
  outcome text not null check (outcome in ('invite', 'invited', 'member', 'refused', 'duplicate', 'invalid')),
  -- [{ column, message }].
  problems jsonb not null,
  -- The business; null for an invalid row, and once the row is applied.
  draft jsonb,
  is_applied boolean not null default false,
  primary key (import_id, line),
  constraint invitation_import_rows_applied check (not is_applied or draft is null)
);
create index invitation_import_rows_waiting on invitation_import_rows (import_id, line) where not is_applied;

-- An invitation of a business with its private draft. The row stays without personal data, so that no later import invites the business again.
create table invitations (
  id uuid primary key default uuidv7(),
  -- Keyed hashes; a mailbox and a business number are invited once.
  mailbox_key text not null unique check (length(mailbox_key) between 16 and 64),
  business_number_key text unique check (length(business_number_key) between 16 and 64),
  basis text not null check (basis in ('consent', 'existing_relationship', 'published_address')),
  status text not null default 'open' check (status in ('open', 'claimed', 'refused', 'expired')),
  draft jsonb,
  -- Of the links in the email and in its one reminder.
  token_hash bytea not null unique check (length(token_hash) = 32),
  reminder_token_hash bytea unique check (length(reminder_token_hash) = 32),
  created_at timestamptz not null,
  reminded_at timestamptz,
  claimed_by uuid references users,
  claimed_at timestamptz,
  constraint invitations_draft check (status <> 'open' or draft is not null),
  constraint invitations_ended check (status in ('open', 'claimed') or draft is null),
  constraint invitations_reminded check ((reminded_at is null) = (reminder_token_hash is null)),
  constraint invitations_claimed check ((status = 'claimed') = (claimed_by is not null) and (claimed_by is null) = (claimed_at is null))
);
create index invitations_open on invitations (created_at) where status = 'open';
create index invitations_drafts on invitations (created_at) where draft is not null;
create index invitations_claimant on invitations (claimed_by) where claimed_by is not null;

-- An answer is final.
create trigger invitations_transition before update of status on invitations for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('open', 'claimed'), ('open', 'refused'), ('open', 'expired')
  )) execute function refuse_transition();

-- Mailboxes that never want an invitation again, as keyed hashes.
create table invitation_refusals (
  mailbox_key text primary key check (length(mailbox_key) between 16 and 64),
  created_at timestamptz not null
);

-- Never again means never again.
create trigger invitation_refusals_append_only before update or delete or truncate on invitation_refusals for each statement execute function refuse_change();
