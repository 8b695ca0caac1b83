-- What active listings ask, by sub-category and unit, for each country and each region with enough of them; recomputed by a nightly job.
create table asking_prices (
  sub_category_code smallint not null references sub_categories,
  country text not null check (country in ('NZ', 'AU')),
  -- Null for the whole country.
  region_code smallint,
  price_unit text not null check (price_unit in ('hour', 'visit', 'job', 'day', 'room', 'square_metre')),
  -- As `minSample` of the contract.
  sample int not null check (sample >= 8),
  -- Quartiles and median, in cents of the country's currency.
  low_minor int not null check (low_minor > 0),
  median_minor int not null,
  high_minor int not null,
  computed_at timestamptz not null,
  constraint asking_prices_key unique nulls not distinct (sub_category_code, country, region_code, price_unit),
  constraint asking_prices_order check (low_minor <= median_minor and median_minor <= high_minor)
);
