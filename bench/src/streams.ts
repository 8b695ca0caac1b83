import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { memoryOf, percentile, printBars, printTable } from './load.ts';
import { makePerson, type Person } from './people.ts';
import type { Stage } from './stage.ts';

const streams = 1_000;
const messages = 10_000;
/** So many are sent each second, whether or not those before have been answered. */
const rate = 200;

type Pair = { conversation: string; buyer: Person; seller: Person };

/** People in pairs who talk over one server, each with a stream open: how long a message takes to the other one, and what a stream costs. */
export async function benchStreams(stage: Stage): Promise<void> {
  const pairs = await makePairs(stage, streams / 2);
  const people = pairs.flatMap(({ buyer, seller }) => [buyer, seller]);
  // What the server loads for the first of anything is not the streams'.
  const first = await openEventStream(stage.product, people[0]?.token ?? '');
  first.close();
  await pause(2_000);
  const before = memoryOf(stage.productPid);

  const delays: number[] = [];
  const hear: NonNullable<Parameters<typeof openEventStream>[3]> = ({ event, data }) => {
    if (event === 'message' && !data.message.mine) delays.push(performance.now() - Number(data.message.text));
  };
  const open = [];
  for (const { token } of people) open.push(await openEventStream(stage.product, token, undefined, hear));
  await Promise.all(open.map((stream) => stream.untilCount('unread', 1)));
  await pause(2_000);
  const after = memoryOf(stage.productPid);

  const begun = performance.now();
  const sending: Promise<number>[] = [];
  for (let at = 0; at < messages; at += 1) {
    const wait = begun + (at * 1_000) / rate - performance.now();
    if (wait > 1) await pause(wait);
    const pair = pairs[at % pairs.length];
    const sender = Math.floor(at / pairs.length) % 2 === 0 ? pair?.buyer : pair?.seller;
    sending.push(send(stage.product, sender?.token ?? '', pair?.conversation ?? ''));
  }
  const statuses = await Promise.all(sending);
  const took = (performance.now() - begun) / 1_000;
  for (let waited = 0; delays.length < messages && waited < 10_000; waited += 50) await pause(50);
  const peak = memoryOf(stage.productPid);
  for (const stream of open) stream.close();

  printTable(
    `${streams} streams on one server, ${messages} messages, ${rate} a second, from the press of the button to the other side’s browser`,
    ['messages/s', 'told', 'p50 ms', 'p99 ms', 'longest ms', 'kB a stream', 'MB at the end'],
    [
      [
        messages / took,
        delays.length,
        ...[0.5, 0.99, 1].map((share) => percentile(delays, share)),
        ((after - before) * 1_024) / streams,
        peak,
      ],
    ],
  );
  printBars([
    { what: 'delay, p99 ms', measured: percentile(delays, 0.99), atMost: 250 },
    { what: 'kB a stream', measured: ((after - before) * 1_024) / streams, atMost: 40 },
  ]);
  const failed = statuses.filter((status) => status !== 200);
  if (failed.length > 0) console.log(`${failed.length} were not sent: ${[...new Set(failed)].join()}`);
}

async function send(address: string, token: string, conversation: string): Promise<number> {
  const answer = await fetch(`${address}/api/messages/${conversation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ message: String(performance.now()), clientId: randomUUID() }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** New people with sessions, each two with a conversation about some listing. */
async function makePairs({ client }: Stage, count: number): Promise<Pair[]> {
  const run = Date.now().toString(36);
  const { rows: listings } = await client.query<{ id: string }>('select id from listings order by listing_number limit $1', [count]);
  const pairs: Pair[] = [];
  for (const [at, { id: listing }] of listings.entries()) {
    const [buyer, seller] = [await makePerson(client, `b${at}${run}`), await makePerson(client, `s${at}${run}`)];
    const { rows } = await client.query<{ id: string }>(
      `with made as (
         insert into conversations (listing_id, buyer_id, seller_id, last_number) values ($1, $2, $3, 1) returning id
       ), said as (
         insert into messages (conversation_id, number, from_seller, body) select id, 1, false, 'Kia ora' from made
       ), sides as (
         insert into participants (conversation_id, role, user_id)
         select id, role, case role when 'buyer' then $2::uuid else $3::uuid end from made, (values ('buyer'), ('seller')) as roles (role)
       )
       select id from made`,
      [listing, buyer.id, seller.id],
    );
    pairs.push({ conversation: rows[0]?.id ?? '', buyer, seller });
  }
  return pairs;
}
