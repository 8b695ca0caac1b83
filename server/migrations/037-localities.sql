-- Towns, suburbs and other localities, from server/src/domains/places/localities.tsv: written at a start whose file is another than the
-- last one's. A code stands for one place for good: what a newer file no longer has stays, because listings may point at it.
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
  -- How many addresses there are; 0 where that is not known.
  addresses int not null check (addresses >= 0),
  foreign key (district_code, country) references districts (code, country)
);

-- Which file the table was written from.
create table localities_source (
  only_row boolean primary key default true check (only_row),
  checksum text not null
);
