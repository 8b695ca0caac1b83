-- Whether a business comes out in the evening, at night or at the weekend. `emergency` is about urgent jobs alone.
alter table listings add column emergency_call_out boolean not null default false;
