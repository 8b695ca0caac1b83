-- noticed_at is from now on when the mail server had the email that announces the charge, without which nothing is charged; before, it was when
-- the email was queued, which is this column.
alter table renewals add column notice_queued_at timestamptz;
