import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiAnswer, headerOf, openApi } from './api.ts';
import { authenticate, errorPage, questionPage, resultPage, returnAddress } from './intents/authentication.ts';
import { ownStatement } from './account/statement.ts';
import { openControl } from './control.ts';
import { settleDue } from './due.ts';
import { Refusal } from './calls/errors.ts';
import { openFaults } from './calls/faults.ts';
import { openClaims } from './calls/idempotency.ts';
import { findIntent } from './intents/intents.ts';
import { openKeys } from './calls/keys.ts';
import { openStore, type Scope } from './state/store.ts';
import { openWebhooks } from './webhooks.ts';
import type { Statement, Trouble, World } from './world.ts';

/**
 * `down`: connections are cut, also before the answer to a call that was carried out. `slow`: calls are carried out
 * at once and answered late. `drop-webhooks`: events made now are kept but never delivered.
 */
export type StripeFault = 'down' | 'slow' | 'drop-webhooks';

export type StripeOptions = {
  /** SQLite file of its state; ':memory:' keeps nothing. */
  file: string;
  /** 0 takes a free one. */
  port: number;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Asked before each delivery; while it is null, events wait. */
  webhookUrl: () => string | null;
  /** Waited for before a call is carried out, and again when its effects are stored but its answer is not sent yet. */
  onRequest?: (request: { method: string; path: string }, phase: 'before' | 'after') => void | Promise<void>;
  /** How late answers are under `slow`. */
  slowMs?: number;
  /** How long what takes its time does: a payment with 4000 0000 0000 5001, a refund to 4000 0000 0000 7726. */
  processingMs?: number;
};

const longestBody = 256 * 1024;
const everyMs = 50;

/**
 * Starts a stand-in for Stripe that speaks the part of its HTTP API that the product uses, and keeps its state in one
 * file. Throws where the secret key is one for real money.
 */
export async function startStripe(options: StripeOptions) {
  const { file, port, secretKey, publishableKey, webhookSecret, webhookUrl, onRequest, slowMs = 5000, processingMs = 5000 } = options;
  if (/^(sk|rk)_live/.test(secretKey))
    throw new Error('The payment sandbox does not start with a live key: with it, real cards are charged.');

  let fault: StripeFault | null = null;
  const closing = new AbortController();
  const database = openStore(file);
  const keys = openKeys();
  keys.add([secretKey, publishableKey]);
  const own: Scope = { account: 'acct_sandbox', livemode: false };
  const webhooks = openWebhooks({ database, secret: webhookSecret, url: webhookUrl, mayDeliver: () => fault !== 'drop-webhooks' });
  const trouble: Trouble = { faults: openFaults(), setDelivery: webhooks.setDelivery, statement: ownStatement };
  const { faults } = trouble;
  const settings = { address: '', processingMs, trouble };
  const api = openApi({ database, webhooks, keys, salt: secretKey, settings });
  const claim = openClaims();

  const byItself =
    (scope: Scope) =>
    <T>(work: (world: World) => T) =>
      database.transaction(() => work(api.worldOf(scope, { id: null, idempotency_key: null })));

  const settle = () => {
    for (const scope of database.dueScopes(Date.now())) byItself(scope)((world) => settleDue(world));
  };

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET' } = request;
    if (fault === 'down') return void request.socket.destroy();
    if (method === 'OPTIONS') return void response.writeHead(204, preflight(request)).end();
    const body = await bodyOf(request);
    if (body === null) return void response.writeHead(413, { connection: 'close' }).end();
    const { pathname: path, searchParams: query } = addressOf(request.url);
    const idempotencyKey = method === 'POST' ? headerOf(request, 'idempotency-key') : null;
    const hit = faults.hit({ method, path, idempotencyKey });
    const late = () => hit?.until ?? pause(hit?.ms ?? slowMs, undefined, { signal: closing.signal });
    if (hit?.does === 'cut') return void request.socket.destroy();
    await onRequest?.({ method, path }, 'before');
    if (closing.signal.aborted) return;
    const release = claimKey(request, response);
    if (!release) return;
    if (hit?.does === 'slow-start') await late();
    if (closing.signal.aborted) return;
    settle();
    const id = /^\/authenticate\/(\w+)$/.exec(path)?.[1];
    const {
      status,
      body: content,
      headers,
    } = id === undefined
      ? api.answer({ method, path, query, body, headers: request.headers }, hit?.does ?? null)
      : bank(id, method, query, body);
    release();
    setImmediate(work);
    await onRequest?.({ method, path }, 'after');
    if (fault === 'slow' || hit?.does === 'slow') await late();
    if ((fault as StripeFault | null) === 'down' || hit?.does === 'lose-answer') return void request.socket.destroy();
    response.writeHead(status, { ...headers, ...anyOrigin, 'cache-control': 'no-store' }).end(content);
  }

  /** Takes the call's idempotency key until it is carried out or its caller is gone. Null where another call has it, which is answered. */
  function claimKey(request: IncomingMessage, response: ServerResponse) {
    const key = request.method === 'POST' ? headerOf(request, 'idempotency-key') : null;
    if (key === null) return () => {};
    try {
      const release = claim(headerOf(request, 'authorization') ?? '', key);
      response.once('close', release);
      return release;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const headers = { ...anyOrigin, 'content-type': 'application/json' };
      response.writeHead(error.status, headers).end(JSON.stringify({ error: error.body }));
      return null;
    }
  }

  /** The make-believe bank: its question, and what follows from the answer. */
  function bank(id: string, method: string, query: URLSearchParams, body: string): ApiAnswer {
    try {
      const secret = query.get('client_secret');
      const scope = database.scopeOf(id) ?? own;
      const intent = findIntent(database.at(scope), id, secret);
      const action = `/authenticate/${id}?client_secret=${intent.client_secret}`;
      const asked = intent.status === 'requires_action';
      if (!asked) return { status: 200, ...asBody(resultPage(intent, null)) };
      if (method !== 'POST') return { status: 200, ...asBody(questionPage(intent, action)) };
      const passed = new URLSearchParams(body).get('outcome') === 'success';
      const returnUrl = intent.next_action?.redirect_to_url?.return_url ?? null;
      const ended = byItself(scope)((world) => authenticate(world, intent.client_secret, passed));
      return { status: 200, ...asBody(resultPage(ended, returnAddress(ended, returnUrl, passed))) };
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, ...asBody(errorPage(error.message)) };
      throw error;
    }
  }

  function work() {
    if (closing.signal.aborted) return;
    settle();
    webhooks.sendDue();
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      // A caller that went away is no fault to report.
      if (request.complete && !closing.signal.aborted) console.error('The payment sandbox dropped a call:', error);
      request.socket.destroy();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  settings.address = `http://localhost:${typeof bound === 'object' ? bound?.port : port}`;
  const timer = setInterval(work, everyMs);

  return {
    url: settings.address,

    /** What banks and time do. */
    control: openControl(byItself(own)),
    /** The same with the objects of another account or mode. */
    controlOf: (scope: Scope) => openControl(byItself(scope)),

    /** Which keys there are and what they may do. */
    keys,

    /** Null ends the fault. */
    setFault(next: StripeFault | null) {
      fault = next;
    },

    /** Single calls that go wrong. They end apart from the fault above. */
    faults,

    /** How events reach the webhook from now on; {} as they should. */
    setDelivery: trouble.setDelivery,

    /** What the account has set for its payers' statements from now on; nothing: as at the start. */
    setStatement(statement: Statement = ownStatement) {
      trouble.statement = statement;
    },

    /** Sends one event now, also one that was delivered or dropped before. Resolves to the webhook's HTTP status. */
    deliver: (eventId: string) => webhooks.deliver(eventId),

    /** A second call does nothing. */
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      clearInterval(timer);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, webhooks.close()]);
      database.close();
    },
  };
}

const asBody = ({ html, headers }: { html: string; headers: Record<string, string> }) => ({ body: html, headers });

const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id, idempotent-replayed',
};

/** Any page may ask: what it may see hangs on the key and the client secret alone. */
const preflight = ({ headers }: IncomingMessage) => ({
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': headers['access-control-request-headers'] ?? 'authorization, content-type, idempotency-key',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '600',
});

function addressOf(target = '/') {
  const base = 'http://localhost';
  return URL.canParse(target, base) ? new URL(target, base) : new URL(base);
}

async function bodyOf(request: IncomingMessage) {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longestBody) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
