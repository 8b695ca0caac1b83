-- Every server reads the prize of a new month, which its terms announce.
create function notify_draw_period() returns trigger language plpgsql as $$
begin
  perform publish_change('settings', to_jsonb(new.year * 100 + new.month));
  return null;
end $$;
create trigger draw_periods_announced after insert on draw_periods for each row execute function notify_draw_period();
