import { randomUUID } from 'node:crypto';
import type { SessionUser } from '@handwise/contract/accounts/calls';
import { printBars } from './load.ts';
import { type Stage, openStage } from './stage.ts';

const rounds = 100;
const few = 1_000;

/** Publishing a listing without photos, from request to answer, in a large market against a small one. */
export async function benchPublish(stage: Stage): Promise<void> {
  const large = await medianPublish(stage);
  const small = await openStage({ listings: few });
  try {
    const floor = await medianPublish(small);
    console.log(`\nPublishing a listing, median of ${rounds}, one at a time`);
    console.table([
      { listings: few, ms: round(floor), ratio: 1 },
      { listings: stage.listings, ms: round(large), ratio: round(large / floor) },
    ]);
    printBars([{ what: `against ${few} listings`, measured: large / floor, atMost: 2 }]);
  } finally {
    await small.close();
  }
}

const round = (value: number) => Math.round(value * 100) / 100;

async function medianPublish({ client, product }: Stage): Promise<number> {
  const name = `bench_${Date.now().toString(36)}`;
  const registered = await fetch(`${product}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ fullName: 'Bench Seller', username: name, email: `${name}@example.org`, password: 'pohutukawa-9' }),
  });
  const { data: user } = (await registered.json()) as { data: SessionUser };
  const { rows } = await client.query<{ id: string; slots: number }>(`select id, slots from plans where plan_type = 'featured'`);
  const plan = rows[0];
  if (!plan) throw new Error('This database has no plans.');
  // As many subscriptions as the listings take, so that nothing has to be paid.
  for (let bought = 0; bought < rounds + 10; bought += plan.slots) {
    await client.query(
      `insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
       values ($1, $2, 'NZ', 'grant', $3, now(), now() + interval '30 days')`,
      [user._id, plan.id, plan.slots],
    );
  }
  const times: number[] = [];
  for (let index = 0; index < rounds + 5; index += 1) {
    const form = new FormData();
    for (const [field, value] of Object.entries({
      submissionId: randomUUID(),
      businessTitle: 'Bench Plumbing',
      serviceTitle: `Reliable plumber number ${index}`,
      businessEmailAddress: 'bench@example.org',
      businessInfo: 'A family business that has looked after homes in the area for twenty years.',
      serviceDescription: 'We come when we say we will and leave the place tidy.',
      serviceCategory: 'Plumbing',
      servicePlan: plan.id,
      location: 'Taupō, Waikato, New Zealand',
      services: 'Leaks, Hot water',
    }))
      form.append(field, value);
    const begun = performance.now();
    const answer = await fetch(`${product}/api/listing/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.token}` },
      body: form,
    });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`publishing answered ${answer.status}`);
    // The first ones warm up connections and code.
    if (index >= 5) times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
