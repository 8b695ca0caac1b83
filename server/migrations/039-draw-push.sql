-- The last user who was notified of the result, in the order of their ids: a job that runs again goes on from there.
alter table draws add column result_pushed_to uuid;
