import { randomBytes } from 'node:crypto';
import { unexpectedState } from './errors.ts';
import { findIntentOfSecret } from './intents.ts';
import type { PaymentIntent, SetupIntent } from './objects.ts';
import { authenticatePayment } from './payment-intents.ts';
import { authenticateSetup } from './setup-intents.ts';
import type { World } from './world.ts';

/** Ends the 3-D Secure step of the intent that the client secret belongs to. */
export function authenticate(world: World, secret: string, passed: boolean): PaymentIntent | SetupIntent {
  const intent = findIntentOfSecret(world.store, secret);
  if (intent.status !== 'requires_action') {
    throw unexpectedState(intent, `There is nothing to authenticate: the intent has a status of ${intent.status}.`);
  }
  return intent.object === 'payment_intent' ? authenticatePayment(world, intent, passed) : authenticateSetup(world, intent, passed);
}

/** The return address with the parameters that Stripe adds; null if there is none. */
export function returnAddress(intent: PaymentIntent | SetupIntent, returnUrl: string | null, passed: boolean) {
  if (!returnUrl) return null;
  const address = new URL(returnUrl);
  address.searchParams.set(intent.object, intent.id);
  address.searchParams.set(`${intent.object}_client_secret`, intent.client_secret);
  address.searchParams.set('redirect_status', passed ? 'succeeded' : 'failed');
  return address.href;
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

type Page = { html: string; headers: Record<string, string> };

function page(body: string, script = ''): Page {
  const nonce = randomBytes(16).toString('base64');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Make-believe Bank</title>
<style nonce="${nonce}">
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #17202a; background: #f3f5f7; }
  main { max-width: 26rem; margin: 1.5rem auto; padding: 1.5rem; background: #fff; border-radius: .75rem; }
  h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
  button { font: inherit; width: 100%; padding: .75rem; margin-top: .75rem; border: 1px solid #17202a; border-radius: .5rem; background: #fff; color: inherit; cursor: pointer; }
  button[value=success] { background: #17202a; color: #fff; }
</style>
</head>
<body><main><h1>Make-believe Bank</h1>${body}</main>${script && `<script nonce="${nonce}">${script}</script>`}</body>
</html>`;
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`,
      'referrer-policy': 'no-referrer',
    },
  };
}

/** The bank's question. `action` is the address that the answer is posted to. */
export function questionPage(intent: PaymentIntent | SetupIntent, action: string): Page {
  const asks =
    intent.object === 'payment_intent'
      ? `A payment of ${new Intl.NumberFormat('en-NZ', { style: 'currency', currency: intent.currency }).format(intent.amount / 100)}`
      : 'Saving your card';
  return page(`
<p>${escaped(asks)} waits for your word. This is a test: no bank is asked and no money moves.</p>
<form method="post" action="${escaped(action)}">
  <button name="outcome" value="success">Complete authentication</button>
  <button name="outcome" value="fail">Fail authentication</button>
</form>`);
}

/** Reports the result to the window that opened the bank, and returns the payer. */
export function resultPage(intent: PaymentIntent | SetupIntent, next: string | null): Page {
  const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
  const message = inScript({ type: 'handwise-3ds', intent: intent.id, status: intent.status });
  const link = next ? `<p><a href="${escaped(next)}">Go on</a></p>` : '<p>You can close this window.</p>';
  return page(
    `<p>Thank you. Your answer has been passed on.</p>${link}`,
    `for (const other of [window.opener, window.parent]) if (other && other !== window) other.postMessage(${message}, '*');` +
      (next ? `location.replace(${inScript(next)});` : ''),
  );
}

export const errorPage = (message: string) => page(`<p>${escaped(message)}</p>`);
