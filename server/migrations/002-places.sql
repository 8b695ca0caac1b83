-- Towns, suburbs and other localities, imported from server/src/domains/places/localities.tsv whenever that file has changed; rows are
-- never deleted, because listings may reference them.
create table localities (
  code int primary key check (code > 0),
  name text not null,
  slug text not null,
  folded text not null,
  country text not null,
  region_code smallint not null check (region_code = district_code / 100),
  district_code smallint not null,
  postcode text not null check (postcode ~ '^\d{4}$'),
  latitude float8 not null check (latitude between -90 and 90),
  longitude float8 not null check (longitude between -180 and 180),
  -- The number of addresses; 0 if unknown.
  addresses int not null check (addresses >= 0)
);

-- The checksum of the file that localities was imported from.
create table localities_source (
  only_row boolean primary key default true check (only_row),
  checksum text not null
);
