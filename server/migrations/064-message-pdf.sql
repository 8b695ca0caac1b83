-- A PDF that came with the message: the key of its file, its name and its bytes.
alter table messages add column pdf jsonb;
-- Checked on what is written from now on; older messages have none.
alter table messages add constraint messages_pdf check (
  pdf is null or coalesce(
    pdf->>'key' like 'private/%' and length(pdf->>'name') between 1 and 80 and (pdf->>'bytes')::int between 1 and 10485760,
    false
  )
) not valid;
alter table messages drop constraint messages_not_empty;
-- Older messages met the stricter one.
alter table messages add constraint messages_not_empty check (body <> '' or pictures <> '[]' or pdf is not null) not valid;
