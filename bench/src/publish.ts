import { withDemoContext } from '@handwise/demo/demo-context';
import { listingForm } from '@handwise/sandbox/testing/listing';
import { expireListings } from '@handwise/server/domains/selling/selling.jobs';
import { readEnv } from '@handwise/server/env';
import { median, printBars, printTable, timed } from './load.ts';
import { type Stage, createPerson, openStage } from './stage.ts';

const rounds = 100;
const few = 1_000;

/** Publishing, editing and expiring a listing without photos, one at a time, in a large market against a small one. */
export async function benchPublish(stage: Stage): Promise<void> {
  const large = await timeListings(stage);
  const smallStage = await openStage(few);
  const small = await timeListings(smallStage);
  await smallStage.close();
  const steps = ['publishing', 'editing', 'expiring'] as const;
  const rows = steps.map((step): [string, number, number] => [step, median(small[step]), median(large[step])]);
  printTable('Listings and plans one at a time, medians, ms', ['step', `${few} listings`, `${stage.listings} listings`], rows);
  printBars(rows.map(([step, few, many]) => ({ what: `${step}, large against small market`, measured: many / few, atMost: 2 })));
}

async function timeListings({ client, product, databaseUrl, dataDir }: Stage) {
  const { id: userId, token } = await createPerson(client);
  const { rows } = await client.query<{ id: string; slots: number }>(`select id, slots from plans where plan_type = 'featured'`);
  const { id: planId = '', slots = 1 } = rows[0] ?? {};
  // Enough granted subscriptions for all listings, so that nothing has to be paid.
  await client.query(
    `insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
     select $1, $2, 'NZ', 'grant', $3, now(), now() + interval '30 days' from generate_series(1, $4)`,
    [userId, planId, slots, Math.ceil(rounds / slots)],
  );
  const send = async (method: string, path: string, fields: Record<string, string | readonly string[]>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
    const answer = await fetch(`${product}/api/listing/${path}`, { method, headers: { authorization: `Bearer ${token}` }, body: form });
    const body = (await answer.json()) as { _id?: string };
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${JSON.stringify(body)}`);
    return body._id ?? '';
  };
  const times = { publishing: [] as number[], editing: [] as number[], expiring: [] as number[] };
  for (let index = 0; index < rounds; index += 1) {
    const { submissionId, servicePlan, ...texts } = listingForm(planId, { serviceTitle: `Reliable plumber number ${index}` });
    const [published, id] = await timed(() => send('POST', 'create', { submissionId, servicePlan, ...texts }));
    const [edited] = await timed(() => send('PUT', id, { ...texts, serviceTitle: `Reliable plumber with number ${index}` }));
    times.publishing.push(published);
    times.editing.push(edited);
  }
  const { rows: owned } = await client.query<{ id: string }>('select id from subscriptions where user_id = $1', [userId]);
  await withDemoContext(readEnv({ NODE_ENV: 'test', DATA_DIR: dataDir }), databaseUrl, async (context, clock) => {
    await context.jobs.start({ work: false });
    await expireListings(context);
    for (const { id } of owned) {
      await client.query(
        `with ended as (
           update subscriptions set starts_at = now() - interval '31 days', ends_at = now() - interval '1 second' where id = $1 returning ends_at
         )
         update listings set subscription_ends_at = ended.ends_at from ended where subscription_id = $1`,
        [id],
      );
      clock.time = new Date();
      times.expiring.push((await timed(() => expireListings(context)))[0]);
    }
    await context.jobs.stop();
  });
  return times;
}
