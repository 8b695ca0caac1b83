import { randomUUID } from 'node:crypto';
import type { testApp } from './app.ts';

type App = Awaited<ReturnType<typeof testApp>>;

/**
 * Sends a signed provider event about an object to the app, which then loads the object. Repeat an `eventId` to send the same event again.
 */
export const webhookSender =
  ({ app, sandbox, parts }: Pick<App, 'app' | 'sandbox'> & { parts: Pick<App['parts'], 'clock'> }) =>
  async (type: string, { id }: { id: string }, eventId = `evt_${randomUUID()}`): Promise<void> => {
    const payload = JSON.stringify({ id: eventId, object: 'event', type, data: { object: { id } } });
    const signature = sandbox.provider.webhooks.generateTestHeaderString({
      payload,
      secret: 'whsec_sandbox',
      timestamp: Math.floor(parts.clock.now().getTime() / 1000),
    });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload });
    if (statusCode !== 200) throw new Error(`the message was answered with ${statusCode}`);
  };
