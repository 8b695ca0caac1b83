import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { getMemory, percentile, printBars } from './load.ts';
import { type Stage, createPerson } from './stage.ts';

const streams = 1_000;
const messages = 10_000;
/** Messages sent per second, whether or not earlier ones have been answered. */
const rate = 200;

/** Pairs of people who talk over one server, each with an open stream: the delay of a message to the other person, and what a stream costs. */
export async function benchStreams({ client, product, productPid }: Stage): Promise<void> {
  const pairs = await createPairs(client, streams / 2);
  const tokens = pairs.flatMap((pair) => pair.tokens);
  // What the server loads for its first stream is not counted.
  (await openEventStream(product, tokens[0] ?? '')).close();
  await pause(2_000);
  const before = getMemory(productPid);
  const delays: number[] = [];
  const open = [];
  for (const token of tokens)
    open.push(
      await openEventStream(product, token, undefined, ({ event, data }) => {
        if (event === 'message' && !data.message.mine) delays.push(performance.now() - Number(data.message.text));
      }),
    );
  await Promise.all(open.map((stream) => stream.untilCount('unread', 1)));
  await pause(2_000);
  const kilobytes = ((getMemory(productPid) - before) * 1_024) / streams;

  const startedAt = performance.now();
  const sending: Promise<void>[] = [];
  for (let at = 0; at < messages; at += 1) {
    await pause(Math.max(0, startedAt + (at * 1_000) / rate - performance.now()));
    const { conversation = '', tokens = [] } = pairs[at % pairs.length] ?? {};
    sending.push(send(product, tokens[Math.floor(at / pairs.length) % 2] ?? '', conversation));
  }
  await Promise.all(sending);
  for (let waited = 0; delays.length < messages && waited < 10_000; waited += 50) await pause(50);
  for (const stream of open) stream.close();
  console.log(`\n${streams} streams on one server, ${messages} messages, ${rate} a second, from sending to the other browser`);
  printBars([
    { what: 'messages received', measured: delays.length, atLeast: messages },
    { what: 'delay, p99 ms', measured: percentile(delays, 0.99), atMost: 250 },
    { what: 'kB a stream', measured: kilobytes, atMost: 40 },
  ]);
}

/** A message that is refused is missing among those received. */
async function send(address: string, token: string, conversation: string): Promise<void> {
  const answer = await fetch(`${address}/api/messages/${conversation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ message: String(performance.now()), clientId: randomUUID() }),
  }).catch(() => undefined);
  await answer?.arrayBuffer();
}

/** New people with sessions, in pairs with a conversation about some listing. */
async function createPairs(client: pg.Client, count: number): Promise<{ conversation: string; tokens: string[] }[]> {
  const pairs = [];
  for (let at = 0; at < count; at += 1) {
    const [buyer, seller] = [await createPerson(client), await createPerson(client)];
    const { rows } = await client.query<{ id: string }>(
      `with created as (
         insert into conversations (listing_id, buyer_id, seller_id, last_number)
         select id, $1, $2, 1 from listings order by listing_number limit 1 offset $3 returning id
       ), greeting as (
         insert into messages (conversation_id, number, from_seller, body) select id, 1, false, 'Kia ora' from created
       ), sides as (
         insert into participants (conversation_id, role, user_id)
         select id, role, case role when 'buyer' then $1::uuid else $2::uuid end from created, (values ('buyer'), ('seller')) as roles (role)
       )
       select id from created`,
      [buyer.id, seller.id, at],
    );
    pairs.push({ conversation: rows[0]?.id ?? '', tokens: [buyer.token, seller.token] });
  }
  return pairs;
}
