-- A message about a quote or a visit, which has an email of its own: emails about unseen messages leave it out.
alter table messages add column has_own_email boolean not null default false;
