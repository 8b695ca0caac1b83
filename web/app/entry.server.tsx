import { randomBytes } from 'node:crypto';
import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, ServerRouter } from 'react-router';
import { delayScripts } from './lib/document/head-script.ts';
import { hashOwnScripts } from './lib/document/own-scripts.ts';

// The server that embeds this build imports the key of the context from here.
export { serverContext } from './lib/server-context.ts';

/** Renders the whole page before responding, because the HTML is cached for everyone and must never be partial. */
export default async function handleRequest(request: Request, status: number, headers: Headers, routerContext: EntryContext) {
  let failed: unknown;
  const nonce = randomBytes(16).toString('base64url');
  const stream = await renderToReadableStream(<ServerRouter context={routerContext} url={request.url} nonce={nonce} />, {
    nonce,
    signal: request.signal,
    // The page is not streamed, so no boundary may move to the end of the document behind a script.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError(error) {
      failed ??= error;
    },
  });
  await stream.allReady;
  const { html, hashes } = hashOwnScripts(await new Response(stream).text(), nonce);
  // React has replaced the failed part with a client-side retry: such a page is sent but not cached.
  if (failed !== undefined) {
    console.error(failed);
    headers.set('Cache-Control', 'no-store');
  }
  headers.set('Content-Type', 'text/html; charset=utf-8');
  // The hashes are for the security policy that the server sends with the page.
  headers.set('Script-Hashes', hashes.join(' '));
  return new Response(delayScripts(html), { status: failed === undefined ? status : 500, headers });
}
