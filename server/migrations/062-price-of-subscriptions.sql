-- The full price of the plan when it was bought, which a later change of plan counts unused days by. Null for rows of programs that do not
-- know it: the plan's price of today.
alter table subscriptions add column price_minor int constraint subscriptions_price check (price_minor > 0);
update subscriptions set price_minor = plans.price_minor from plans where plans.id = subscriptions.plan_id;
