-- Changes to the settings of the site, one row each: its name, addresses and legal person. The last row's `settings` are all that are set here;
-- what is missing comes from the environment.
create table site_settings (
  id uuid primary key default uuidv7(),
  version int not null generated always as identity unique,
  changed_at timestamptz not null default now(),
  -- Null for a change by hand in the database.
  changed_by uuid references users,
  reason text not null constraint site_settings_reason_check check (btrim(reason) <> ''),
  -- The changed settings only.
  before jsonb not null constraint site_settings_before_check check (jsonb_typeof(before) = 'object'),
  after jsonb not null constraint site_settings_after_check check (jsonb_typeof(after) = 'object'),
  settings jsonb not null constraint site_settings_settings_check check (settings @> after)
);
create trigger site_settings_append_only before update or delete or truncate on site_settings
  for each statement execute function refuse_change();

create constraint trigger site_settings_audited after insert on site_settings deferrable initially deferred
  for each row execute function audit_change('{reason,before,after}');

-- Every server reads the settings again.
create function notify_site_settings() returns trigger language plpgsql as $$
begin
  perform publish_change('settings', to_jsonb(new.version));
  return null;
end $$;
create trigger site_settings_changed after insert on site_settings for each row execute function notify_site_settings();
