import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { startServer } from '../stand-in-server.ts';
import { defaultStatement } from './account.ts';
import { type ApiAnswer, getHeader, openApi } from './api.ts';
import { authenticate, errorPage, questionPage, resultPage, returnAddress } from './authentication.ts';
import { openControl, settleDue } from './control.ts';
import { ApiError } from './errors.ts';
import { openFaults } from './faults.ts';
import { findIntent } from './intents.ts';
import { openKeys } from './keys.ts';
import { openStore, type Scope } from './store.ts';
import { openWebhooks } from './webhooks.ts';
import type { Statement, World } from './world.ts';

/**
 * `down`: connections are cut, even before the response to an executed call. `drop-webhooks`: new events are stored but never delivered.
 */
export type StripeFault = 'down' | 'drop-webhooks';

export type StripeOptions = {
  /** SQLite file of the state, or ':memory:'. */
  file: string;
  /** 0 chooses a free one. */
  port: number;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Called before each delivery; events wait while it is null. */
  webhookUrl: () => string | null;
  /** Awaited before a call is executed, and after its effects are stored but before its response is sent. */
  onRequest?: (request: { method: string; path: string }, phase: 'before' | 'after') => void | Promise<void>;
  /** Milliseconds that a payment with 4000 0000 0000 5001 and a refund to 4000 0000 0000 7726 take. */
  processingMs?: number;
};

const longestBody = 256 * 1024;
const workIntervalMs = 50;

/** Starts a stand-in for the part of Stripe's HTTP API that the product uses. Throws if the secret key is a live one. */
export async function startStripe(options: StripeOptions) {
  const { file, port, secretKey, publishableKey, webhookSecret, webhookUrl, onRequest, processingMs = 5000 } = options;
  if (/^(sk|rk)_live/.test(secretKey))
    throw new Error('The payment sandbox does not start with a live key: with it, real cards are charged.');

  let fault: StripeFault | null = null;
  const closing = new AbortController();
  const database = openStore(file);
  const keys = openKeys();
  keys.add([secretKey, publishableKey]);
  const own: Scope = { account: 'acct_sandbox', livemode: false };
  const webhooks = openWebhooks({ database, secret: webhookSecret, url: webhookUrl, mayDeliver: () => fault !== 'drop-webhooks' });
  const faults = openFaults();
  const settings = { address: '', processingMs, statement: defaultStatement };
  const api = openApi({ database, webhooks, keys, salt: secretKey, settings });

  const inTransaction =
    (scope: Scope) =>
    <T>(work: (world: World) => T) =>
      database.transaction(() => work(api.worldOf(scope, { id: null, idempotency_key: null })));

  const settle = () => {
    for (const scope of database.dueScopes(Date.now())) inTransaction(scope)((world) => settleDue(world));
  };

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { method = 'GET' } = request;
    if (fault === 'down') return void request.socket.destroy();
    if (method === 'OPTIONS') return void response.writeHead(204, preflight(request)).end();
    const body = await getBody(request);
    if (body === null) return void response.writeHead(413, { connection: 'close' }).end();
    const { pathname: path, searchParams: query } = getAddress(request.url);
    const idempotencyKey = method === 'POST' ? getHeader(request, 'idempotency-key') : null;
    const callFault = faults.take({ method, path, idempotencyKey });
    await onRequest?.({ method, path }, 'before');
    if (closing.signal.aborted) return;
    settle();
    const id = /^\/authenticate\/(\w+)$/.exec(path)?.[1];
    const {
      status,
      body: content,
      headers,
    } = id === undefined
      ? api.answer({ method, path, query, body, headers: request.headers }, callFault)
      : answerBankPage(id, method, query, body);
    setImmediate(work);
    await onRequest?.({ method, path }, 'after');
    if ((fault as StripeFault | null) === 'down' || callFault === 'lose-answer') return void request.socket.destroy();
    response.writeHead(status, { ...headers, ...anyOrigin, 'cache-control': 'no-store' }).end(content);
  }

  /** The page of the sandbox's bank, and the payer's answer to it. */
  function answerBankPage(id: string, method: string, query: URLSearchParams, body: string): ApiAnswer {
    try {
      const secret = query.get('client_secret');
      const scope = database.scopeOf(id) ?? own;
      const intent = findIntent(database.at(scope), id, secret);
      const action = `/authenticate/${id}?client_secret=${intent.client_secret}`;
      const isOpen = intent.status === 'requires_action';
      if (!isOpen) return { status: 200, ...asBody(resultPage(intent, null)) };
      if (method !== 'POST') return { status: 200, ...asBody(questionPage(intent, action)) };
      const passed = new URLSearchParams(body).get('outcome') === 'success';
      const returnUrl = intent.next_action?.redirect_to_url?.return_url ?? null;
      const ended = inTransaction(scope)((world) => authenticate(world, intent.client_secret, passed));
      return { status: 200, ...asBody(resultPage(ended, returnAddress(ended, returnUrl, passed))) };
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, ...asBody(errorPage(error.message)) };
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
      // A caller that has disconnected is no error.
      if (request.complete && !closing.signal.aborted) console.error('The payment sandbox dropped a call:', error);
      request.socket.destroy();
    });
  });
  const started = await startServer(server, port);
  settings.address = `http://localhost:${started.port}`;
  const timer = setInterval(work, workIntervalMs);

  return {
    url: settings.address,

    control: openControl(inTransaction(own)),
    keys,

    /** Null clears the fault. */
    setFault(next: StripeFault | null) {
      fault = next;
    },

    /** Faults of single calls, independent of `setFault`. */
    faults,

    /** The account's setting for its payers' statements; the default if missing. */
    setStatement(statement: Statement = defaultStatement) {
      settings.statement = statement;
    },

    /** Sends one event now, also one that was delivered or dropped. Returns the webhook's HTTP status. */
    deliver: (eventId: string) => webhooks.deliver(eventId),

    /** A second call does nothing. */
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      clearInterval(timer);
      await Promise.all([started.close(), webhooks.close()]);
      database.close();
    },
  };
}

const asBody = ({ html, headers }: { html: string; headers: Record<string, string> }) => ({ body: html, headers });

const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'request-id, idempotent-replayed',
};

/** Every origin may call, because access depends only on the key and the client secret. */
const preflight = ({ headers }: IncomingMessage) => ({
  ...anyOrigin,
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers': headers['access-control-request-headers'] ?? 'authorization, content-type, idempotency-key',
  'access-control-allow-private-network': 'true',
  'access-control-max-age': '600',
});

function getAddress(target = '/') {
  const base = 'http://localhost';
  return URL.canParse(target, base) ? new URL(target, base) : new URL(base);
}

async function getBody(request: IncomingMessage) {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longestBody) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
