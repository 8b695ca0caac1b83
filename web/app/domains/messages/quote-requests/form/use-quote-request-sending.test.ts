import { afterEach, expect, test, vi } from 'vitest';
import { type Outcomes, sendToSeveral } from '../../first-message/send-to-several.tsx';
import { listOutcomes, createQuoteRequestSender, listSent } from './use-quote-request-sending.ts';

const sent: { url: string; fields: Record<string, string>; files: number }[] = [];
let refused = new Set<string>();

class Request {
  status = 0;
  response: unknown;
  responseType = '';
  upload = { addEventListener() {} };
  #url = '';
  #done = () => {};
  open = (_method: string, url: string) => void (this.#url = url);
  setRequestHeader() {}
  getResponseHeader = () => null;
  addEventListener = (kind: string, done: () => void) => void (kind === 'load' && (this.#done = done));
  send(body: FormData) {
    const fields = Object.fromEntries([...body].filter(([, value]) => typeof value === 'string')) as Record<string, string>;
    sent.push({ url: this.#url, fields, files: body.getAll('pictures').length });
    const isRefused = refused.has(fields['listingId'] ?? '');
    this.status = isRefused ? 409 : 200;
    this.response = isRefused
      ? { code: 'listing_not_active', message: 'It has ended.' }
      : { conversationId: `with ${fields['listingId']}` };
    this.#done();
  }
}
vi.stubGlobal('XMLHttpRequest', Request);
vi.stubGlobal('localStorage', { getItem: () => null });
afterEach(() => {
  sent.length = 0;
  refused = new Set();
});

const job = { job: 'A tap drips.', category: 'Plumbing', subCategory: '', place: 'Taupō', when: 'asap' as const, date: '' };
const picks = ['one', 'two', 'three'].map((listingId) => ({ listingId, name: listingId, title: '' }));
const photos = [new File(['x'], 'tap.jpg')];
const send = (before: Outcomes = new Map()) => sendToSeveral(picks, createQuoteRequestSender(job, 'the request', photos), before, () => {});

test('sends a request to each under one id, with photos until one has it', async () => {
  refused = new Set(['one']);
  const outcomes = await send();
  expect(sent.map(({ url, fields, files }) => [url, fields['listingId'], fields['clientId'], files])).toEqual([
    ['/api/quote-requests', 'one', 'the request', 1],
    ['/api/quote-requests', 'two', 'the request', 1],
    ['/api/quote-requests', 'three', 'the request', 0],
  ]);
  expect(sent[1]?.fields).toEqual({ ...job, listingId: 'two', clientId: 'the request' });
  expect([...outcomes.values()]).toEqual([{ problem: 'It has ended.' }, { conversationId: 'with two' }, { conversationId: 'with three' }]);
});

test('stores who has received a draft, and skips them after a reload', async () => {
  refused = new Set(['two']);
  const accepted = listSent(await send());
  expect(accepted).toEqual(['one', 'three'].map((listingId) => ({ listingId, conversationId: `with ${listingId}` })));
  sent.length = 0;
  refused = new Set();
  await send(listOutcomes(accepted));
  expect(sent.map(({ fields }) => fields['listingId'])).toEqual(['two']);
});

test('retries only failed receivers', async () => {
  refused = new Set(['two']);
  const outcomes = await send();
  sent.length = 0;
  refused = new Set();
  const again = await send(outcomes);
  expect(sent.map(({ fields, files }) => [fields['listingId'], fields['clientId'], files])).toEqual([['two', 'the request', 0]]);
  expect([...again.values()].every((one) => 'conversationId' in one)).toBe(true);
});
