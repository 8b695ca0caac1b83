-- What an administrator's request chose beside amount, way and reason, so that another request under the same id is told from a retry.
-- Null for refunds that nobody asked for, and for those from before.
alter table refunds add column keeps_plan boolean, add column fraud boolean;
