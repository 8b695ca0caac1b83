import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { encodeForm, photo } from '../faults/fault-client.ts';
import { listingForm } from '../testing/listing.ts';
import { submitCard } from '../testing/provider.ts';
import type { DrillSite } from './drill-site.ts';

/** A write that the site has acknowledged, and when. */
export type Done = { at: number } & (
  | { kind: 'registered'; id: string }
  | { kind: 'paid'; id: string }
  | { kind: 'published'; id: string }
  | { kind: 'said'; id: string }
);

type Call = (method: string, path: string, body?: object) => Promise<any>;

/** Users who register, pay, publish with a photo and receive messages until the end, and an administrator who grants tickets. */
export function startLoad(site: DrillSite, people: number) {
  const done: Done[] = [];
  const ending = new AbortController();
  let networks = 0;

  function caller(): {
    call: Call;
    sendForm: (path: string, form: Awaited<ReturnType<typeof encodeForm>>) => Promise<any>;
    use: (token: string) => void;
  } {
    networks += 1;
    const network = `10.${Math.floor(networks / 62_500) % 250}.${Math.floor(networks / 250) % 250}.${(networks % 250) + 1}`;
    let token = '';
    const send = async (method: string, path: string, type?: string, body?: string | Uint8Array<ArrayBuffer>) => {
      const answer = await fetch(`${site.address}/api${path}`, {
        method,
        headers: { 'x-forwarded-for': network, ...(type && { 'content-type': type }), ...(token && { authorization: `Bearer ${token}` }) },
        ...(body && { body }),
      });
      const content: any = await answer.json();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content).slice(0, 300)}`);
      return content;
    };
    return {
      call: (method, path, body) => send(method, path, body && 'application/json', body && JSON.stringify(body)),
      sendForm: (path, form) => send('POST', path, form.type, new Uint8Array(form.bytes)),
      use: (newToken) => (token = newToken),
    };
  }

  async function register() {
    const { call, sendForm, use } = caller();
    const username = `d${randomUUID().slice(0, 12).replaceAll('-', '')}`;
    const form = { fullName: 'Mere Kingi', username, email: `${username}@example.org`, password: 'correct-horse' };
    const { data } = await call('POST', '/auth/register', form);
    use(data.token);
    done.push({ kind: 'registered', id: data._id, at: Date.now() });
    return { call, sendForm, id: data._id as string };
  }

  /** One sale: a payment, a listing with a photo, and a message about it. */
  async function sell(seller: Awaited<ReturnType<typeof register>>, planId: string) {
    const { clientSecret, paymentIntentId } = await seller.call('POST', '/plan-user/create-intent', { planId });
    const payment = await submitCard(site.provider, clientSecret);
    if (payment.status !== 'succeeded') throw new Error(`the card was not taken: ${JSON.stringify(payment)}`);
    // From here on the payment is charged, whatever the site responds.
    done.push({ kind: 'paid', id: paymentIntentId, at: Date.now() });
    const form = await encodeForm({ ...listingForm(planId), paymentId: paymentIntentId }, [photo]);
    const { listing } = await seller.sendForm('/listing/create', form);
    done.push({ kind: 'published', id: listing._id, at: Date.now() });
    const buyer = await register();
    const message = { sellerId: seller.id, listingId: listing._id, message: 'Can you come on Tuesday?', clientId: randomUUID() };
    const { conversationId } = await buyer.call('POST', '/email/send', message);
    done.push({ kind: 'said', id: conversationId, at: Date.now() });
  }

  /** Every second person has an account from before the backup and pays repeatedly; the others are new each time. */
  async function person(planId: string, index: number) {
    const known = index % 2 === 0 ? await register() : undefined;
    while (!ending.signal.aborted) {
      await (async () => sell(known ?? (await register()), planId))().catch((error: unknown) => {
        // The site was destroyed meanwhile.
        if (!ending.signal.aborted) throw error;
      });
      await pause(100);
    }
  }

  async function administrator() {
    const [admin, winner] = [caller(), caller()];
    const { data: taker } = await winner.call('POST', '/auth/login', { email: 'buyer@example.com', password: 'demo-buyer-1' });
    const { data } = await admin.call('POST', '/auth/login', { email: 'admin@example.com', password: 'demo-admin-1' });
    admin.use(data.token);
    while (!ending.signal.aborted) {
      await admin
        .call('POST', '/admin/entries', { userId: taker._id, tickets: 1, reason: 'For helping with the drill.' })
        .catch((error: unknown) => {
          if (!ending.signal.aborted) throw error;
        });
      await pause(2_000);
    }
  }

  const running = (async () => {
    const plans = await caller().call('GET', '/plan/all');
    const planId = (plans as { _id: string; planType: string }[]).find((plan) => plan.planType === 'basic')?._id ?? '';
    await Promise.all([administrator(), ...Array.from({ length: people }, (_, index) => person(planId, index))]);
  })();
  return {
    done,
    failed: running,
    end: async () => {
      ending.abort();
      await running;
    },
    /** Later calls fail because the site is gone. */
    expectFailures: () => ending.abort(),
  };
}
