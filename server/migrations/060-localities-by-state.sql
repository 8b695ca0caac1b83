-- Places near a state line were in the state of their postcode: Queanbeyan in the Australian Capital Territory, the APY lands in the Northern Territory.
-- The listings that are based there move with them (places/localities.tsv).
update listings
set region_code = moved.district_code / 100,
  district_code = moved.district_code,
  service_districts = case when service_districts is not null then (moved.district_code || service_districts)[1:20] end
from (
  select unnest(array[17022, 17035, 17042, 17050, 17065, 17068, 17087, 17103, 17122, 17123, 17124, 17130, 17137, 17142, 17143, 17146, 17148, 17153, 17165]) as code,
    1707::smallint as district_code
  union all select unnest(array[17028, 17071, 17154]), 1704
  union all select 10675, 1706
  union all select unnest(array[16719, 16722, 16732, 16786, 16846, 16851, 16853, 16855, 16868, 16899, 16910, 16924, 16933, 16935, 16960, 16972, 16986, 16987, 17006]), 2009
  union all select unnest(array[16820, 16917, 16967]), 2105
  union all select unnest(array[9301, 11631]), 2306
  union all select 3672, 2403
) as moved
where listings.base_locality_code = moved.code and listings.district_code <> moved.district_code;
