-- How many did what in a week, by the place and trade of their listing; the last weeks are recomputed by a nightly job.
create table funnel_cells (
  -- A Monday in New Zealand.
  week date not null check (extract(isodow from week) = 1),
  -- Null without a listing, as for sign-ups.
  region_code smallint,
  category_code smallint references categories,
  metric text not null check (metric in ('visits', 'sign_ups', 'published', 'contacted', 'answered', 'renewed', 'left')),
  value int not null check (value > 0),
  computed_at timestamptz not null,
  constraint funnel_cells_key unique nulls not distinct (week, region_code, category_code, metric),
  constraint funnel_cells_place check ((region_code is null) = (category_code is null))
);
