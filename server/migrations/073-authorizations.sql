-- OAuth's term. The version that still runs, or that an operator goes back to, reads and writes the view.
-- squawk-ignore-file renaming-table
alter table provider_visits rename to authorizations;
alter index provider_visits_pkey rename to authorizations_pkey;
alter index provider_visits_user rename to authorizations_user;
alter index provider_visits_session rename to authorizations_session;
alter index provider_visits_expiry rename to authorizations_expiry;
do $$
declare
  name text;
begin
  for name in select conname from pg_constraint where conrelid = 'authorizations'::regclass and conname like 'provider\_visits\_%' loop
    execute format('alter table authorizations rename constraint %I to %I', name, replace(name, 'provider_visits', 'authorizations'));
  end loop;
end $$;
create view provider_visits as select * from authorizations;
