-- What a business's quotes say of its GST: in New Zealand its GST number, which is its IRD number, so that nothing public shows it; in Australia that it
-- is registered under its ABN.
alter table listings
  add column gst_number text constraint listings_gst_number check (gst_number ~ '^[1-9]\d{7,8}$'),
  add column gst_registered boolean not null default false;
