import type { Quote } from '@handwise/contract/quotes/calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QuoteCard } from './quote-card.tsx';
import {
  addUpDraft,
  changeQuote,
  createWrittenQuote,
  listProblems,
  readWrittenQuote,
  saveWrittenQuote,
  toQuoteBody,
  type WrittenQuote,
} from './written-quote.ts';
import { WriteQuoteForm } from './quote-form.tsx';
import { QuoteComparison, QuoteStateMark } from './quote-summaries.tsx';
import { stubLocalStorage } from '../../lib/testing/local-storage.ts';

const quote: Quote = {
  _id: 'quote',
  conversationId: 'talk',
  number: 'Q-1001',
  messageNumber: 2,
  role: 'buyer',
  state: 'seen',
  kind: 'quote',
  gstIncluded: true,
  validUntil: '2027-03-15',
  business: 'Kingi & Daughters',
  customer: 'Tama R.',
  currency: 'NZD',
  gstPercent: 15,
  lines: [
    { description: 'Labour', quantityMilli: 2_500, unitMinor: 9_500, amountMinor: 23_750 },
    { description: 'Tap <washer>', quantityMilli: 3_000, unitMinor: 333, amountMinor: 999 },
  ],
  totalMinor: 24_749,
  gstMinor: 3_228,
  notes: 'Friday morning suits.',
  startsOn: null,
  sentAt: '2027-03-01T00:00:00.000Z',
  seenAt: '2027-03-01T01:00:00.000Z',
  closedAt: null,
  decline: null,
  buildingRule: null,
};

function render(node: React.ReactNode, client = new QueryClient()) {
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>{node}</MemoryRouter>
    </QueryClientProvider>,
  );
  return markup.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}
const show = (changed: Partial<Quote> = {}, canAnswer = true) =>
  render(<QuoteCard quote={{ ...quote, ...changed }} onAsk={() => {}} canAnswer={canAnswer} />);

beforeEach(() => {
  stubLocalStorage();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('the card of an open quote shows every figure and what its customer can do', () => {
  const card = show();
  for (const text of ['Quote Q-1001', 'Labour', '2.5 × $95.00 NZD', '$237.50 NZD', 'Tap &lt;washer&gt;', '3 × $3.33 NZD', '$9.99 NZD'])
    expect(card).toContain(text);
  expect(card).toMatch(/Subtotal without GST \$215\.21 NZD GST \(15 %\) \$32\.28 NZD Total, GST included \$247\.49 NZD/);
  expect(card).toContain('This is a fixed price for the work described. Friday morning suits. Valid until Mar 15, 2027.');
  expect(card).toMatch(/Accept quote Ask a question Decline Download PDF/);
});

const rule = {
  fromMinor: 3_000_000,
  contract: 'A written contract',
  deposit: null,
  insurance: 'Cover of the work',
  regulator: 'MBIE Building Performance',
  url: 'https://www.building.govt.nz',
};

test('reminds both sides of the building rules that a quote reaches, and says what is not known', () => {
  for (const role of ['buyer', 'seller'] as const) {
    const card = show({ role, buildingRule: rule });
    expect(card).toMatch(/For building work on a home from \$30,000 Contract A written contract Deposit Ask the regulator Insurance Cover/);
    expect(card).toMatch(/General information, not advice\. MBIE Building Performance says what applies to you/);
  }
  expect(show()).not.toContain('building work');
});

test('the card of an estimate without GST says both', () => {
  const card = show({ kind: 'estimate', gstIncluded: false, gstMinor: 0 });
  expect(card).toContain('Total, no GST $247.49 NZD The business is not registered for GST. This is an estimate');
  expect(card).not.toContain('Subtotal');
});

test('the business can change or withdraw its open quote and sees whether it was seen', () => {
  const card = show({ role: 'seller' });
  expect(card).toContain('Valid until Mar 15, 2027. Seen on Mar 1, 2027.');
  expect(card).toMatch(/Change Withdraw Download PDF/);
  expect(card).not.toContain('Accept');
  expect(show({ role: 'seller', state: 'sent', seenAt: null })).toContain('Not seen yet.');
});

test.each([
  [{ state: 'accepted', closedAt: '2027-03-02T00:00:00.000Z' }, 'Accepted on Mar 2, 2027.'],
  [{ state: 'replaced' }, 'It was replaced by a newer one.'],
  [{ state: 'expired' }, 'It is no longer valid.'],
  [{ state: 'withdrawn' }, 'The business has withdrawn it.'],
  [{ state: 'withdrawn', role: 'seller' }, 'You have withdrawn it.'],
  [{ state: 'declined', decline: { reason: 'price', note: '' } }, 'You have declined it.'],
  [
    { state: 'declined', role: 'seller', decline: { reason: 'timing', note: 'After Easter.' } },
    'The customer has declined it. The timing does not suit. “After Easter.”',
  ],
] satisfies [Partial<Quote>, string][])('a quote that is %j says so and offers its PDF only', (changed, words) => {
  const card = show(changed);
  expect(card).toContain(words);
  expect(card).toContain('Download PDF');
  expect(card).not.toMatch(/Accept quote|Decline |Withdraw |Change /);
  expect(card.includes('Show details')).toBe(changed.state !== 'accepted');
});

test('a customer who cannot write to the business cannot answer its quote', () => {
  expect(show({}, false)).not.toMatch(/Accept quote|Ask a question/);
});

test('a list shows where a quote stands', () => {
  const mark = (quote: Pick<Quote, 'kind' | 'role' | 'state'>) => render(<QuoteStateMark quote={quote} />).trim();
  expect(mark({ kind: 'estimate', role: 'buyer', state: 'declined' })).toBe('Estimate declined');
  // Only the business has sent it.
  expect((['sent', 'seen'] as const).map((state) => mark({ kind: 'quote', role: 'buyer', state }))).toEqual([
    'New quote',
    'Quote to answer',
  ]);
  expect((['sent', 'seen'] as const).map((state) => mark({ kind: 'quote', role: 'seller', state }))).toEqual(['Quote sent', 'Quote seen']);
});

test('a quote request shows its quotes side by side with their totals, and nothing before the first', () => {
  const client = new QueryClient();
  const receivers = ['one', 'two', 'three'].map((conversationId) => ({ conversationId, business: `The ${conversationId}` }));
  expect(render(<QuoteComparison receivers={receivers} />, client).trim()).toBe('');
  const summaries = [
    { ...quote, conversationId: 'three', totalMinor: 30_000, gstIncluded: false },
    { ...quote, conversationId: 'one', state: 'accepted' },
  ];
  client.setQueryData(['quote-summaries', 'one', 'two', 'three'], { quotes: summaries });
  const shown = render(<QuoteComparison receivers={receivers} />, client);
  expect(shown).toMatch(
    /The one \$247\.49 NZD Quote, GST included Valid until Mar 15, 2027 Quote accepted The three \$300\.00 NZD Quote, not registered for GST/,
  );
  expect(shown).not.toContain('The two');
});

const today = '2027-03-01';
const now = new Date('2027-03-01T00:00:00Z');
const line = { description: 'Labour', quantity: '2.5', price: '$95' };
const draft = {
  ...createWrittenQuote([], now, 'Pacific/Auckland'),
  lines: [line, { description: 'Washer', quantity: '3', price: '3.33' }],
};

test('a draft is valid for two weeks unless changed, and adds up as the server does', () => {
  expect(createWrittenQuote([], now, 'Pacific/Auckland')).toMatchObject({ kind: 'quote', gstIncluded: true, validUntil: '2027-03-15' });
  expect(addUpDraft(draft, 'NZ')).toEqual({ totalMinor: 24_749, gstMinor: 3_228 });
  expect(addUpDraft({ ...draft, lines: [line, { description: '', quantity: 'x', price: '' }] }, 'NZ').totalMinor).toBe(23_750);
  expect(toQuoteBody(draft, 'talk')).toMatchObject({ conversationId: 'talk', lines: [{ quantityMilli: 2_500, unitMinor: 9_500 }, {}] });
});

test('a draft begins with the open quote, and with the terms of one that is over', () => {
  const open = createWrittenQuote([{ ...quote, kind: 'estimate', startsOn: '2027-03-20' }], now, 'Pacific/Auckland');
  expect(open).toMatchObject({
    kind: 'estimate',
    notes: 'Friday morning suits.',
    startsOn: '2027-03-20',
    lines: [{ quantity: '2.5', price: '95.00' }, { price: '3.33' }],
  });
  const over = createWrittenQuote([{ ...quote, state: 'expired', gstIncluded: false }], now, 'Pacific/Auckland');
  expect(over).toMatchObject({ gstIncluded: false, notes: '', lines: [{ description: '' }] });
});

test.each([
  [{}, []],
  [{ lines: [{ ...line, description: ' ' }] }, ['lines-0-description']],
  [{ lines: [line, { ...line, quantity: '0' }] }, ['lines-1-quantity']],
  [{ lines: [{ ...line, quantity: '1.2345', price: '9.999' }] }, ['lines-0-quantity', 'lines-0-price']],
  [{ lines: [{ ...line, price: '0' }] }, ['lines-0-price']],
  [{ lines: [{ ...line, quantity: '90000', price: '1000' }] }, ['lines-0-price']],
  [{ validUntil: '2027-02-28' }, ['validUntil']],
  [{ validUntil: '2028-03-01' }, ['validUntil']],
  [{ validUntil: '' }, ['validUntil']],
  [{ startsOn: '2027-02-28' }, ['startsOn']],
  [{ startsOn: '2029-03-01' }, ['startsOn']],
  [{ notes: 'x'.repeat(2_001) }, ['notes']],
])('a draft with %j has problems at %j', (changed, fields) => {
  expect(listProblems({ ...draft, ...changed }, 'NZ', today).map(({ field }) => field)).toEqual(fields);
});

test('a changed draft is another quote, and one tried again is the same', () => {
  const draft = createWrittenQuote([], now, 'Pacific/Auckland');
  const changed = changeQuote(draft, { notes: 'Two coats.' });
  expect(changed).toEqual({ ...draft, notes: 'Two coats.', clientId: expect.any(String) });
  expect(changed.clientId).not.toBe(draft.clientId);
  expect(toQuoteBody(draft, 'talk').clientId).toBe(draft.clientId);
});

test('a draft is stored by conversation until it is sent', () => {
  const empty = createWrittenQuote([], now, 'Pacific/Auckland');
  saveWrittenQuote('talk', draft);
  expect(readWrittenQuote('talk', empty)).toEqual({ draft, isDamaged: false });
  expect(readWrittenQuote('other', empty)).toEqual({ draft: empty, isDamaged: false });
  saveWrittenQuote('talk', undefined);
  expect(readWrittenQuote('talk', empty)).toEqual({ draft: empty, isDamaged: false });
});

test('a stored draft loses only what cannot be read, and says that it did', () => {
  const empty = createWrittenQuote([], now, 'Pacific/Auckland');
  for (const broken of ['{"talk":null}', '{"talk":7}', '{"talk":{"lines":[]}}', '{"talk":{"lines":[null]}}']) {
    localStorage.setItem('offerDrafts', broken);
    expect(readWrittenQuote('talk', empty)).toEqual({ draft: empty, isDamaged: true });
  }
  // Whether this conversation had one is unknown.
  for (const broken of ['no JSON', '[]']) {
    localStorage.setItem('offerDrafts', broken);
    expect(readWrittenQuote('talk', empty)).toEqual({ draft: empty, isDamaged: false });
  }
  const store = (talk: object) => localStorage.setItem('offerDrafts', JSON.stringify({ talk }));
  for (const name of Object.keys(draft) as (keyof WrittenQuote)[]) {
    const { [name]: _, ...others } = draft;
    for (const [lost, isDamaged] of [[others, false] as const, [{ ...draft, [name]: 42 }, true] as const]) {
      store(lost);
      expect(readWrittenQuote('talk', empty)).toEqual({ draft: { ...draft, [name]: empty[name] }, isDamaged });
    }
  }
  const lineLost = { ...draft, colour: 'blue', lines: [null, ...draft.lines, { description: 'Tap' }] };
  store(lineLost);
  expect(readWrittenQuote('talk', empty)).toEqual({ draft, isDamaged: true });
  const form = () => render(<WriteQuoteForm conversationId="talk" country="NZ" quotes={[]} buildingRules={[]} />);
  expect(form()).toContain('Part of your draft could not be read');
  store({ ...draft, colour: 'blue' });
  expect(form()).not.toContain('could not be read');
});

test('the form shows the running total and what it replaces', () => {
  saveWrittenQuote('talk', draft);
  const form = render(<WriteQuoteForm conversationId="talk" country="NZ" quotes={[quote]} buildingRules={[rule]} />);
  expect(form).toContain('This replaces Q-1001 for $247.49 NZD, which is still open.');
  expect(form).toMatch(/\$237\.50 NZD.*\$9\.99 NZD.*\$247\.49 NZD GST of \$32\.28 NZD included.*Send quote/);
  saveWrittenQuote('talk', { ...draft, gstIncluded: false, kind: 'estimate' });
  expect(render(<WriteQuoteForm conversationId="talk" country="AU" quotes={[]} buildingRules={[]} />)).toMatch(
    /\$247\.49 AUD Not registered for GST Send estimate/,
  );
});
