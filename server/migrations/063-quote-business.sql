-- How the business can be reached and looked up, and its logo, as its quote's document shows them: as they were when it was sent, because what was
-- agreed does not change with the listing. Null in quotes from before, and after the business has left.
alter table quotes add column business jsonb constraint quotes_business check (jsonb_typeof(business) = 'object' and business ?& array['lines', 'logo']);
