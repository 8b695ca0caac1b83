-- Decisions of moderators; append-only, so one is undone by another.
create table decisions (
  id uuid primary key default uuidv7(),
  kind text not null check (kind in (
    'dismiss', 'hide_listing', 'remove_review', 'warn', 'suspend_account',
    'reopen', 'show_listing', 'restore_review', 'withdraw_warning', 'restore_account'
  )),
  about_kind text not null check (about_kind in ('listing', 'review', 'message', 'user')),
  about_id uuid not null,
  -- Its title at the time.
  about_title text not null check (length(about_title) between 1 and 200),
  -- The listing that shows it, if it still exists.
  about_listing_id uuid,
  -- The person affected, who reads the reason and may appeal.
  concerned_id uuid not null references users,
  decided_by uuid not null references users,
  reason text not null check (length(reason) between 1 and 1000),
  -- The reason shown in place of a removed review.
  removed_because text check (removed_because in ('not_genuine', 'not_about_service', 'offensive', 'private_details', 'rewarded', 'legal')),
  -- A decision is undone once.
  undoes uuid unique references decisions,
  -- Of the emailed link, which lets people appeal who can no longer sign in.
  link_hash bytea unique check (length(link_hash) = 32),
  created_at timestamptz not null default now(),
  constraint decisions_removal_reason check ((kind = 'remove_review') = (removed_because is not null))
);
create index decisions_concerned on decisions (concerned_id, created_at desc);
create index decisions_about on decisions (about_id, created_at desc);

-- Decisions are append-only.
create trigger decisions_append_only before update or delete or truncate on decisions for each statement execute function refuse_change();

-- Decisions are recorded in the audit log.
create constraint trigger decisions_audited after insert on decisions deferrable initially deferred
  for each row execute function audit_change('{kind,about_kind,about_id,concerned_id,reason,removed_because,undoes}');

create table reports (
  id uuid primary key default uuidv7(),
  reporter_id uuid references users,
  kind text not null check (kind in ('listing', 'review', 'message', 'user')),
  subject_id uuid not null,
  concerned_id uuid not null references users,
  reason text not null check (reason in ('misleading', 'not_genuine', 'offensive', 'private_details', 'spam', 'illegal', 'other')),
  comment text not null check (length(comment) <= 1000),
  -- As it was when reported, so that later changes hide nothing.
  title text not null check (length(title) between 1 and 200),
  words text not null,
  listing_id uuid references listings on delete set null,
  created_at timestamptz not null default now(),
  -- Null while it is open.
  decision_id uuid references decisions
);
create unique index reports_one_open on reports (reporter_id, kind, subject_id) where decision_id is null;
create index reports_open on reports (created_at, kind, subject_id) where decision_id is null;
create index reports_decision on reports (decision_id);
create index reports_concerned on reports (concerned_id, created_at desc);

-- Decided and deleted reports are recorded in the audit log.
create constraint trigger reports_audited after update of decision_id on reports deferrable initially deferred
  for each row when (old.decision_id is distinct from new.decision_id) execute function audit_change('{decision_id}');
create constraint trigger reports_audited_gone after delete on reports deferrable initially deferred
  for each row execute function audit_change('{kind,subject_id,reason,decision_id}');

create table appeals (
  id uuid primary key default uuidv7(),
  decision_id uuid not null unique references decisions,
  words text not null check (length(words) between 1 and 2000),
  created_at timestamptz not null default now(),
  -- Null while the appeal is open.
  upheld boolean,
  answer text check (length(answer) between 1 and 1000),
  answered_by uuid references users,
  answered_at timestamptz,
  constraint appeals_answered check (num_nonnulls(upheld, answer, answered_by, answered_at) in (0, 4))
);
create index appeals_open on appeals (created_at) where upheld is null;

-- Appeals are recorded in the audit log.
create constraint trigger appeals_audited after insert or update or delete on appeals deferrable initially deferred
  for each row execute function audit_change('{decision_id,upheld,answer,answered_by}');

-- Administrators who viewed the site as another user.
create table looks (
  id uuid primary key default uuidv7(),
  administrator_id uuid not null references users,
  user_id uuid not null references users,
  reason text not null check (length(reason) between 1 and 500),
  begun_at timestamptz not null,
  ends_at timestamptz not null,
  check (administrator_id <> user_id)
);
create index looks_user on looks (user_id, begun_at desc);

-- Views as another user are recorded in the audit log.
create constraint trigger looks_audited after insert or update or delete on looks deferrable initially deferred
  for each row execute function audit_change('{administrator_id,user_id,reason,begun_at,ends_at}');
