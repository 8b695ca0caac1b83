import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { Event } from './state/objects.ts';
import { type Database, newId, unixNow, type Store } from './state/store.ts';

/** The version of the API that the `stripe` package of the server speaks. */
const apiVersion = '2026-10-28.endive';

/** After each failed try the next one waits this long; after the last there is none until the next start. */
const waitsMs = [200, 500, 1000, 3000, 10_000, 30_000, 60_000, 300_000, 900_000];
const atOnce = 20;

/** How events are delivered where it is not as they should be. */
export type Delivery = {
  /** Events of these types, or all, wait until it is over. */
  withhold?: boolean | ((type: string) => boolean);
  /** How often each is brought. */
  copies?: number;
  /** One after the other, the newest last or first. */
  order?: 'forwards' | 'backwards';
  /** Signed with another secret. */
  secret?: string;
  /** Signed so many seconds ago. */
  signedAgo?: number;
};

type Options = { database: Database; secret: string; url: () => string | null; mayDeliver: () => boolean };

export type Webhooks = ReturnType<typeof openWebhooks>;

/** Keeps events and brings them to the webhook, at least once each, in no promised order, as Stripe does. */
export function openWebhooks({ database, secret, url, mayDeliver }: Options) {
  const underWay = new Map<string, Promise<void>>();
  const closing = new AbortController();
  database.run('update deliveries set attempts = 0, due_at = 0');

  let delivery: Delivery = {};

  async function send(event: Event, to: string) {
    const payload = JSON.stringify(event);
    const time = unixNow() - (delivery.signedAgo ?? 0);
    const signature = createHmac('sha256', delivery.secret ?? secret)
      .update(`${time}.${payload}`)
      .digest('hex');
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

  /** Where somebody has entered this webhook at the provider, what they asked for; else everything. */
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
    const { copies = 1 } = delivery;
    let status = 0;
    for (let copy = 0; copy < copies; copy += 1) status = await send(event, to).catch(() => 0);
    // What was under way at the end is tried again at the next start.
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
    /** Makes an event of the object as it is now. Part of the caller's transaction. */
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

    setDelivery(next: Delivery) {
      delivery = next;
    },

    /** Starts what is due. Call it often. */
    sendDue() {
      const to = url();
      if (to === null) return;
      const { withhold = false, order } = delivery;
      const most = order ? 1 : atOnce;
      const due = database.rows<{ id: string; attempts: number; type: string }>(
        `select id, attempts, json_extract(body, '$.type') as type from deliveries join objects on id = event_id
         where due_at <= ? order by ${order ? `seq ${order === 'backwards' ? 'desc' : 'asc'}` : 'deliveries.due_at, seq'}`,
        Date.now(),
      );
      for (const { id, attempts, type } of due) {
        if (typeof withhold === 'function' ? withhold(type) : withhold) continue;
        if (underWay.has(id) || underWay.size >= most) continue;
        underWay.set(
          id,
          attempt(id, attempts, to).finally(() => underWay.delete(id)),
        );
      }
    },

    /** Sends one event now, also one that was delivered or dropped. Resolves to the webhook's HTTP status. */
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
