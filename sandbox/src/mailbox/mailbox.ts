import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { startServer } from '../stand-in-server.ts';
import { listenForMail } from './mailbox-smtp.ts';
import { MailboxStore } from './mailbox-store.ts';
import { PushService } from './push-service.ts';

export type Mailbox = {
  /** SMTP. */
  smtpUrl: string;
  /** HTTP. */
  url: string;
  close(): Promise<void>;
};

const asset = (name: string, type: string) => ({ body: readFileSync(join(import.meta.dirname, name)), type: `${type}; charset=utf-8` });
const assets = new Map([
  ['/', asset('page.html', 'text/html')],
  ['/page.js', asset('page.js', 'text/javascript')],
  ['/page.css', asset('page.css', 'text/css')],
]);

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
// Emails may neither run nor load anything; their links open in a new tab.
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/**
 * A mail server for this machine that stores every email in `file` and shows it on a page, with the API of maildev
 * (`GET /email`). Port 0 chooses a free one. Throws if `webPort` is taken, unless `orFreePort` allows another.
 */
export async function startMailbox(options: { file: string; smtpPort: number; webPort: number; orFreePort?: boolean }): Promise<Mailbox> {
  const store = new MailboxStore(options.file);
  const pushes = new PushService();
  const web = createServer((request, response) => {
    if (request.url === '/pushes') return send(response, pushPage(pushes), 'text/html; charset=utf-8', pagePolicy);
    if (/^\/push(\/|$)/.test(request.url ?? '')) return void pushes.answer(request, response);
    return answer(store, request, response);
  });
  try {
    const { port, close } = await listenForReaders(web, options);
    pushes.origin = `http://localhost:${port}`;
    const smtp = await listenForMail({ port: options.smtpPort, onMail: (mail) => store.add(mail) });
    return {
      smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
      url: `http://localhost:${port}`,
      async close() {
        await smtp.close();
        await close();
        store.close();
      },
    };
  } catch (error) {
    web.close();
    store.close();
    throw error;
  }
}

async function listenForReaders(web: ReturnType<typeof createServer>, options: { webPort: number; orFreePort?: boolean }) {
  try {
    return await startServer(web, options.webPort);
  } catch (error) {
    const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!taken) throw error;
    if (options.orFreePort) return startServer(web);
    throw new Error(`The mailbox cannot listen on port ${options.webPort}, because something else does. Set MAILBOX_PORT to a free one.`, {
      cause: error,
    });
  }
}

function answer(store: MailboxStore, request: IncomingMessage, response: ServerResponse) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const route = `${request.method === 'HEAD' ? 'GET' : request.method} ${pathname}`;
  const [, , id = '', part = ''] = pathname.split('/');
  const found = assets.get(pathname);
  if (found && route.startsWith('GET ')) return send(response, found.body, found.type, pagePolicy);
  if (route === 'GET /healthz') return json(response, true);
  if (route === 'GET /email') return json(response, store.all());
  if (route === 'GET /summaries') return summaries(store, request, response);
  if (route === 'DELETE /email/all') {
    store.deleteAll();
    return json(response, true);
  }
  if (route === `DELETE /email/${id}`) return store.delete(id) ? json(response, true) : notFound(response);
  const mail = id && pathname.startsWith('/email/') && route.startsWith('GET ') ? store.open(id) : undefined;
  if (mail && !part) return json(response, mail);
  if (mail && part === 'html')
    return send(response, mail.html.replace('<head>', '<head><base target="_blank">'), 'text/html; charset=utf-8', mailPolicy);
  return notFound(response);
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The notifications that browsers would show, newest first. */
function pushPage({ received }: PushService): string {
  const entries = received.map(({ payload, receivedAt }) => {
    const { title, body, path } = JSON.parse(payload) as Record<string, string>;
    const line = [title, body, path].map((text) => escapeHtml(text ?? '')).join(' · ');
    return `<li><time>${receivedAt}</time><br />${line}</li>`;
  });
  return `<!doctype html><html lang="en-NZ"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" /><title>Notifications | Handwise</title><link rel="icon" href="data:," /><link rel="stylesheet" href="/page.css" /></head>
<body><header><h1>Notifications</h1><p><a href="/">Mailbox</a></p></header><main><ol>${entries.join('')}</ol>
${entries.length === 0 ? '<p><strong>No notification yet.</strong> Those sent to this push service show here.</p>' : ''}</main></body></html>`;
}

// The page polls every two seconds, mostly without changes.
function summaries(store: MailboxStore, request: IncomingMessage, response: ServerResponse) {
  const etag = `"${process.pid}-${store.version}"`;
  response.setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) return response.writeHead(304).end();
  return json(response, store.summaries());
}

const notFound = (response: ServerResponse) => json(response, { error: 'Email was not found' }, 404);

const json = (response: ServerResponse, body: unknown, status = 200) =>
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' })
    .end(JSON.stringify(body));

const send = (response: ServerResponse, body: string | Buffer, type: string, policy: string) =>
  response.writeHead(200, { 'content-type': type, 'content-security-policy': policy, 'x-content-type-options': 'nosniff' }).end(body);
