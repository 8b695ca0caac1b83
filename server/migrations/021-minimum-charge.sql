-- The least that a job costs, in cents of the listing's currency, including GST; 0 is no minimum.
alter table listings add column minimum_charge_minor int check (minimum_charge_minor between 0 and 10000000);
