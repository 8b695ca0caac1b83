import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { Event } from './objects.ts';
import { type Database, newId, type Store, unixNow } from './store.ts';

/** The API version of the server's `stripe` package. */
const apiVersion = '2026-10-28.endive';

/** Waits after failed deliveries; after the last, the event waits for the next start. */
const waitsMs = [200, 500, 1000, 3000, 10_000, 30_000, 60_000, 300_000, 900_000];
const maxConcurrent = 20;

type Options = { database: Database; secret: string; url: () => string | null; mayDeliver: () => boolean };

export type Webhooks = ReturnType<typeof openWebhooks>;

/** Stores events and delivers them to the webhook at least once each, in any order, as Stripe does. */
export function openWebhooks({ database, secret, url, mayDeliver }: Options) {
  const underWay = new Map<string, Promise<void>>();
  const closing = new AbortController();
  database.run('update deliveries set attempts = 0, due_at = 0');

  async function send(event: Event, to: string) {
    const payload = JSON.stringify(event);
    const time = unixNow();
    const signature = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex');
    const answer = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${time},v1=${signature}` },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(10_000)]),
    });
    await answer.body?.cancel();
    return answer.status;
  }

  /** The endpoint's event types if this webhook has one at the provider, else all. */
  function isWanted(store: Store, type: string) {
    const address = url();
    const endpoints = store.list('webhook_endpoint', { limit: 100 }).data.filter((endpoint) => endpoint.url === address);
    return endpoints.length === 0 || endpoints.some((one) => one.status === 'enabled' && wants(one.enabled_events, type));
  }

  function storeOf(id: string) {
    const scope = database.scopeOf(id);
    if (!scope) throw new Error(`there is no event ${id}`);
    return database.at(scope);
  }

  async function attempt(id: string, attempts: number, to: string) {
    const store = storeOf(id);
    const event = store.find('event', id);
    const status = await send(event, to).catch(() => 0);
    // A delivery interrupted by the shutdown is repeated at the next start.
    if (closing.signal.aborted) return;
    if (status >= 200 && status < 300) {
      database.transaction(() => {
        store.save({ ...event, pending_webhooks: 0 });
        database.run('delete from deliveries where event_id = ?', id);
      });
      return;
    }
    const wait = waitsMs[attempts];
    const due = wait === undefined ? null : Date.now() + wait;
    database.run('update deliveries set attempts = ?, due_at = ? where event_id = ?', attempts + 1, due, id);
  }

  return {
    /** Stores an event with the object's current state, in the caller's transaction. */
    record(store: Store, type: Stripe.Event.Type, object: object, request: Stripe.Event.Request) {
      const deliver = mayDeliver() && isWanted(store, type);
      const event = {
        id: newId('evt'),
        object: 'event',
        api_version: apiVersion,
        created: unixNow(),
        data: { object },
        livemode: false,
        pending_webhooks: deliver ? 1 : 0,
        request,
        type,
      } as unknown as Event;
      store.save(event);
      if (deliver) database.run('insert into deliveries values (?, 0, 0)', event.id);
    },

    /** Starts the deliveries that are due. */
    sendDue() {
      const to = url();
      if (to === null) return;
      const due = database.rows<{ id: string; attempts: number }>(
        'select id, attempts from deliveries join objects on id = event_id where due_at <= ? order by due_at, seq',
        Date.now(),
      );
      for (const { id, attempts } of due) {
        if (underWay.has(id) || underWay.size >= maxConcurrent) continue;
        underWay.set(
          id,
          attempt(id, attempts, to).finally(() => underWay.delete(id)),
        );
      }
    },

    /** Sends one event now, also one that was delivered or dropped. Returns the webhook's HTTP status. */
    async deliver(id: string) {
      const to = url();
      if (to === null) throw new Error('there is no webhook to deliver to');
      return send(storeOf(id).find('event', id), to);
    },

    async close() {
      closing.abort();
      await Promise.all(underWay.values());
    },
  };
}

const wants = (events: string[], type: string) => events.includes('*') || events.includes(type);
