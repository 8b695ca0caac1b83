import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import type { upload } from '../../../lib/upload.ts';
import { createMessageSender } from './message-several.tsx';
import { type Outcomes, sendToSeveral } from './send-to-several.tsx';

const receivers = ['one', 'two', 'three'].map((name) => ({ listingId: name, sellerId: `seller of ${name}`, name }));
let sent: { listingId: string; message: string; clientId: string; sellerId: string }[] = [];
let uploaded: string[][] = [];
let broken = new Set<string>();

vi.mock('../../../lib/upload.ts', () => ({
  upload: (async (_call, input) => {
    const { form, files } = input as unknown as { form: (typeof sent)[number]; files: { pictures: File[]; pdf: File[] } };
    sent.push(form);
    uploaded.push([...files.pictures, ...files.pdf].map(({ name }) => name));
    if (broken.has(form.listingId)) throw new ApiError(409, 'listing_not_active', 'It has ended.');
    return { message: 'Sent', conversationId: `conversation about ${form.listingId}` } as never;
  }) as typeof upload,
}));
afterEach(() => {
  sent = [];
  uploaded = [];
  broken = new Set();
});

const send = (before: Outcomes = new Map(), updates: Outcomes[] = []) =>
  sendToSeveral(
    receivers,
    createMessageSender('Can you come?', [new File(['x'], 'plan.pdf'), new File(['x'], 'tap.jpg')], (id) => `id for ${id}`),
    before,
    (outcomes) => updates.push(outcomes),
  );

test('sends the message once to each seller, in its own conversation', async () => {
  const updates: Outcomes[] = [];
  const outcomes = await send(new Map(), updates);
  expect(sent).toEqual(
    receivers.map(({ listingId, sellerId }) => ({ listingId, sellerId, message: 'Can you come?', clientId: `id for ${listingId}` })),
  );
  expect(uploaded).toEqual(receivers.map(() => ['tap.jpg', 'plan.pdf']));
  expect([...outcomes]).toEqual(receivers.map(({ listingId }) => [listingId, { conversationId: `conversation about ${listingId}` }]));
  expect(updates.map((one) => one.size)).toEqual([1, 2, 3]);
});

test('sends to the others after a failure, and retries only the failed one, as the same message', async () => {
  broken = new Set(['two']);
  const outcomes = await send();
  expect(outcomes.get('two')).toEqual({ problem: 'It has ended.' });
  expect(outcomes.get('three')).toEqual({ conversationId: 'conversation about three' });
  sent = [];
  broken = new Set();
  const again = await send(outcomes);
  expect(sent).toEqual([{ listingId: 'two', sellerId: 'seller of two', message: 'Can you come?', clientId: 'id for two' }]);
  expect([...again.values()].every((one) => 'conversationId' in one)).toBe(true);
});
