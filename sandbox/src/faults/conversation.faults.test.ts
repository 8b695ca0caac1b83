import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { openEventStream } from '../testing/event-stream.ts';
import { listingRow } from '../testing/listing.ts';
import { callOnce, callPatiently, LostAnswer } from './fault-client.ts';
import { kill, patience, type Server } from './fault-servers.ts';
import { faultWorld, type Seller } from './fault-world.ts';

// Two servers on one database. Each user uses one of them and fails over to the other.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const one = await world.startServer();
const other = await world.startServer();

/** Repeats a message with one clientId until a server confirms it. */
async function sendMessage(person: Seller, servers: readonly Server[], path: string, body: object): Promise<string> {
  const clientId = randomUUID();
  for (const until = performance.now() + patience; performance.now() < until;) {
    for (const server of servers) {
      const answer = await callOnce(server, person.token, 'POST', path, { ...body, clientId }).catch((error: unknown) => {
        if (error instanceof LostAnswer) return undefined;
        throw error;
      });
      if (answer?.status === 200) return answer.body.conversationId ?? answer.body._id;
      if (answer && answer.status !== 503) throw new Error(JSON.stringify(answer.body));
    }
    await pause(50);
  }
  throw new Error('no server took the message');
}

/** A user's live events; the stream resumes at the next server after its last event. */
function listen(person: Seller, servers: readonly Server[]) {
  const events: { id: number; event: string; data: any }[] = [];
  const over = new AbortController();
  let close = () => {};
  const listening = (async () => {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const server = servers[turn % servers.length];
      const stream = await openEventStream(server?.address ?? '', person.token, events.at(-1)?.id ?? 0, (event) =>
        events.push(event),
      ).catch(() => undefined);
      if (stream) close = stream.close;
      await stream?.ended;
      await pause(50);
    }
  })();
  return {
    events,
    messages: () => events.filter(({ event }) => event === 'message').map(({ data }) => data.message),
    async close() {
      over.abort();
      close();
      await listening;
    },
  };
}

test(
  'a server killed during a conversation loses, duplicates and reorders no message',
  async () => {
    const [seller, buyer] = [await world.newSeller(one), await world.newSeller(other)];
    const subscription = await world.db
      .insertInto('subscriptions')
      .values({
        user_id: seller.id,
        plan_id: world.planId('basic'),
        country: 'NZ',
        source: 'grant',
        slots: 1,
        starts_at: new Date(),
        ends_at: new Date(Date.now() + 86_400_000),
      })
      .returning(['id', 'user_id', 'ends_at'])
      .executeTakeFirstOrThrow();
    const listing = await world.db.insertInto('listings').values(listingRow(subscription)).returning('id').executeTakeFirstOrThrow();
    const id = await sendMessage(buyer, [one, other], '/email/send', { sellerId: seller.id, listingId: listing.id, message: 'buyer 0' });

    const [toSeller, toBuyer] = [listen(seller, [other, one]), listen(buyer, [one, other])];
    let sent = 0;
    const sendMessages = async (name: string, person: Seller, servers: readonly Server[]) => {
      for (let at = 1; at <= 20; at += 1) {
        await sendMessage(person, servers, `/messages/${id}`, { message: `${name} ${at}` });
        sent += 1;
      }
    };
    const sending = [sendMessages('seller', seller, [one, other]), sendMessages('buyer', buyer, [other, one])];
    await expect.poll(() => sent, { timeout: patience }).toBeGreaterThan(10);
    await kill(one);
    await Promise.all(sending);

    const stored = await world.db
      .selectFrom('messages')
      .select(['number', 'body'])
      .where('conversation_id', '=', id)
      .orderBy('number')
      .execute();
    const texts = stored.map(({ body }) => body);
    expect(stored.map(({ number }) => number)).toEqual(texts.map((_, at) => at + 1));
    expect(new Set(texts).size).toBe(texts.length);
    for (const [name, first] of [
      ['seller', 1],
      ['buyer', 0],
    ] as const) {
      const own = texts.filter((text) => text.replace(/ \d+$/, '') === name);
      expect(own).toEqual(Array.from({ length: 21 - first }, (_, at) => `${name} ${at + first}`));
    }

    for (const side of [toSeller, toBuyer]) {
      await expect.poll(() => side.messages().length, { timeout: patience }).toBe(texts.length);
      expect(side.messages().map(({ text }) => text)).toEqual(texts);
      expect(side.events.map((event) => event.id)).toEqual(side.events.map((_, at) => at + 1));
      await side.close();
    }
    expect((await callPatiently(other, seller.token, 'GET', `/messages/${id}`)).body.messages[0].number).toBe(texts.length);
  },
  3 * patience,
);
