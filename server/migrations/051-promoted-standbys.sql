-- A standby that is promoted begins with the unlogged tables empty. Their sequences it may find unreadable ("bad magic number in sequence"), where the
-- log told it of them and it has had no checkpoint since: PostgreSQL 18 does not write the first page of an unlogged sequence to the standby's disk. Every write that
-- tells of itself would then fail. One record of the log for 32 numbers is little.
alter sequence changes_id_seq set logged;
