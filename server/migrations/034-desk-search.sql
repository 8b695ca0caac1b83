-- Administrators look for any part of a name, a title or a text, in whichever state the thing is.
create index users_parts on users using gin (full_name gin_trgm_ops, (email::text) gin_trgm_ops, (username::text) gin_trgm_ops);
create index users_full_name on users (lower(full_name));
create index listings_parts on listings using gin (service_title gin_trgm_ops, business_title gin_trgm_ops);
create index reviews_parts on reviews using gin (comment gin_trgm_ops, answer gin_trgm_ops);

-- The few among the many, the newest first.
create index users_suspended_ones on users (id) where suspended_at is not null;
create index users_deleted_ones on users (id) where deleted_at is not null;
create index users_administrators on users (id) where role = 'admin';
create index reviews_removed_ones on reviews (id) where removed_at is not null;
