import { expect } from 'vitest';
import { type ApiResponse, type callOnce, encodeForm } from './fault-client.ts';
import type { Seller, faultWorld } from './fault-world.ts';

type World = Awaited<ReturnType<typeof faultWorld>>;
type Call = (method: string, path: string, body?: Parameters<typeof callOnce>[4]) => Promise<ApiResponse>;

/** Publishes a listing under a plan and switches on its renewal with a saved card. */
export async function startRenewal(world: World, seller: Seller, call: Call): Promise<void> {
  const { body } = await call('POST', '/plan-user/create-intent', { planId: world.planId('basic'), country: 'NZ' });
  expect(await world.submitCard(body.clientSecret)).toBe('succeeded');
  const form = await encodeForm({ ...seller.form, paymentId: body.paymentIntentId }, []);
  expect((await call('POST', '/listing/create', form)).status).toBe(201);
  const setup = (await call('POST', '/credit/setup-intent', {})).body;
  await world.submitCard(setup.clientSecret);
  const card = await call('POST', '/credit', { setupIntentId: setup.setupIntentId });
  const { rows } = await world.pool.query('select id from subscriptions where user_id = $1', [seller.id]);
  const on = await call('PUT', `/plan-user/${rows[0].id}/renewal`, { cardId: card.body._id });
  expect([on.status, on.body.code]).toEqual([200, undefined]);
}

/** Moves a seller's plan back in time until its charge is due in so many hours; false if it is due within 20 minutes already. */
export async function moveCharge(world: World, seller: Seller, hours: number): Promise<boolean> {
  const { rows } = await world.pool.query(
    `with due as (
       update renewals set charge_at = now() + make_interval(hours => $2), noticed_at = now()
       where user_id = $1 and status = 'on' and charge_at > now() + interval '20 minutes' returning subscription_id
     ),
     moved as (
       update subscriptions set starts_at = starts_at - moving.by, ends_at = ends_at - moving.by
       from (
         select date_trunc('second', ends_at - now() - make_interval(hours => 70 + $2)) as by from subscriptions join due on id = subscription_id
       ) as moving
       where user_id = $1 returning id, ends_at
     ),
     listed as (update listings set subscription_ends_at = moved.ends_at from moved where subscription_id = moved.id)
     select subscription_id from due`,
    [seller.id, hours],
  );
  return rows.length > 0;
}
