-- Where the law asks for a licence: by country, state and work. Filled from the file beside the domain's code at each start; a row that an
-- administrator has corrected stays as it is.
create table licence_requirements (
  id uuid primary key default uuidv7(),
  country text not null check (country in ('NZ', 'AU')),
  -- A state of Australia; New Zealand has one law.
  region_code smallint,
  category_code smallint not null references categories,
  -- Null: the whole group.
  sub_category_code smallint references sub_categories,
  required text not null check (required in ('yes', 'above-threshold', 'unsure', 'no')),
  -- In cents; null if the law has no value, or names the kind of work instead.
  threshold_minor int check (threshold_minor > 0),
  what text not null check (length(what) between 1 and 400),
  register_name text not null check (length(register_name) <= 120),
  register_url text not null constraint licence_requirements_url check (register_url = '' or (register_url ~ '^https?://\S+$' and length(register_url) <= 300)),
  source text not null check (length(source) <= 600),
  -- Whether the source says so: without one nothing is required.
  confirmed boolean not null,
  corrected_at timestamptz,
  -- Why the last correction was made.
  reason text constraint licence_requirements_reason check (btrim(reason) <> ''),
  constraint licence_requirements_state check ((country = 'AU') = (region_code is not null)),
  constraint licence_requirements_sub check (sub_category_code / 100 = category_code),
  constraint licence_requirements_corrected check ((corrected_at is null) = (reason is null)),
  constraint licence_requirements_work unique nulls not distinct (country, region_code, category_code, sub_category_code)
);
create constraint trigger licence_requirements_audited after update of corrected_at on licence_requirements deferrable initially deferred
  for each row when (new.corrected_at is distinct from old.corrected_at)
  execute function audit_change('{required,threshold_minor,what,register_name,register_url,source,confirmed,reason}');

-- Beside licence_register, licence_number and licence_name: its class, or why none is needed.
alter table listings
  add column licence_class text constraint listings_licence_class_length check (length(licence_class) between 1 and 100),
  add column licence_exemption text constraint listings_licence_exemption_length check (length(licence_exemption) between 1 and 200),
  -- Only works below the value from which the law asks for a licence: that value when it was said, if it has one.
  add column licence_below_limit boolean not null default false,
  add column licence_limit_minor int constraint listings_licence_limit check (licence_limit_minor > 0),
  -- The register said that the licence has ended, is suspended or is somebody else's: not shown until a check finds it valid.
  add column licence_hidden boolean not null default false;
-- The columns are new, so that no row breaks it.
-- squawk-ignore constraint-missing-not-valid
alter table listings add constraint listings_licence_answer check (
  num_nonnulls(licence_number, licence_exemption) + licence_below_limit::int <= 1
    and (licence_class is null or licence_number is not null)
    and (licence_limit_minor is null or licence_below_limit));
