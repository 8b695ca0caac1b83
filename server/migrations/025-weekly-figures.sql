-- Which weeks a seller was mailed the figures of: each once, whatever is started anew. A week goes by its Monday.
create table weekly_figures (
  user_id uuid not null references users on delete cascade,
  week date not null check (extract(isodow from week) = 1),
  primary key (user_id, week)
);

-- Who has saved anything in the week.
create index saved_listings_age on saved_listings (saved_at);
