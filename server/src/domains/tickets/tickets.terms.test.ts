import { expect, onTestFinished, test } from 'vitest';
import { permitSettings } from '@handwise/contract/draws/permits';
import { drawRecordsYears } from '@handwise/contract/periods';
import { drawTerms } from '@handwise/contract/tickets/calls';
import {
  listNewlyUnmet,
  listUnmet,
  planPromotion,
  promotionRules,
  recordsKeptMonths,
  toPromotionRule,
} from '@handwise/contract/tickets/promotion-rules';
import { testApp } from '@handwise/sandbox/testing/app';
import { ensurePeriod } from './tickets.periods.ts';
import { findPeriod, issueTickets, listPeriods, ticketEmailFooter } from './tickets.service.ts';

const { db, given, callers, parts } = await testApp();
const { asVisitor } = callers;
const { context, clock } = parts;
const terms = (period = 'current') => asVisitor.get(`/draws/${period}/terms`);

// Columns: place, permit above, before the start, winner told within, published within, scrutineer from, records, notes, source, day.
const facts = [
  [
    'NSW',
    '10000 AUD in total',
    'rules lodged 10 working days before',
    '',
    '',
    '',
    '',
    'purchase at normal price is allowed as a condition',
    'nsw.gov.au, trade promotions',
    '2026-11-21',
  ],
  [
    'SA',
    '5000 AUD in total',
    '',
    '7 days',
    '30 days, initials and postcode',
    '30000 AUD',
    '3 months, all entries',
    'electronic drawing needs no approval since 2021',
    'vonmuensterlegal, Plexus (records: older than 4 years)',
    '2026-11-21',
  ],
  ['ACT', '3000 AUD in total', '', '', '', '', '12 months, all entries', '', 'Plexus (older than 4 years)', '2026-11-21'],
  ['NT', '5000 AUD in total', '', '', '', '', '2 years', '', 'own notes; Plexus (records)', '2026-11-21'],
  ['VIC', 'none', '', '', '', '', '3 years', 'conditions and records apply', 'Plexus (older than 4 years)', '2026-11-21'],
  ['QLD', 'none', '', '', '', '', '5 years', 'conditions and records apply', 'Plexus (older than 4 years)', '2026-11-21'],
  ['WA', 'none', '', '', '', '', '12 months', 'conditions and records apply', 'Plexus (older than 4 years)', '2026-11-21'],
  ['TAS', 'none', '', '', '', '', '', 'conditions apply', '', '2026-11-21'],
  [
    'NZ',
    'none',
    '',
    '',
    '',
    '',
    '',
    'no extra cost to enter; conditions cannot change once started',
    'Department of Internal Affairs, fact sheet 9',
    '2026-11-21',
  ],
];

test('lists the rules of each state and country with source and date', () => {
  const dollars = (amount: { amountMinor: number; currency: string } | null) =>
    amount ? `${amount.amountMinor / 100} ${amount.currency}` : '';
  const rules = promotionRules
    .map(toPromotionRule)
    .map((rule) => [
      rule.place,
      rule.permitAbove ? `${dollars(rule.permitAbove)}${rule.permitCountsTogether ? ' in total' : ''}` : 'none',
      rule.beforeStart ?? '',
      rule.winnerToldWithin ?? '',
      rule.publishedWithin ?? '',
      dollars(rule.scrutineerFrom),
      rule.recordsKept ?? '',
      rule.notes ?? '',
      rule.source ?? '',
      rule.readOn,
    ]);
  expect(rules).toEqual(facts);
});

const draw = {
  prize: 1_000,
  drawsAYear: 1,
  winnerToldWithinDays: 7,
  publishedWithinDays: 30,
  published: ['initials', 'postcode'],
  recordsKeptMonths: 60,
};
const inAYear = (place: string, year: string, limit: string) =>
  `${place}: The prizes of a year come to ${year}, which needs a permit: they are above ${limit} in total.`;
const unmet = (change: Partial<typeof draw> & { permits?: string[] }) =>
  listUnmet(promotionRules, { ...draw, ...change }).map(({ place, what }) => `${place}: ${what}`);

test.each([
  ['as it is', {}, []],
  ['of 3,000 dollars', { prize: 3_000 }, []],
  ['of more', { prize: 3_001 }, ['ACT: A prize of $3,001 needs a permit: it is above $3,000.']],
  ['of 5,000 dollars', { prize: 5_000 }, ['ACT: A prize of $5,000 needs a permit: it is above $3,000.']],
  [
    'of more',
    { prize: 5_001 },
    [
      'SA: A prize of $5,001 needs a permit: it is above $5,000.',
      'ACT: A prize of $5,001 needs a permit: it is above $3,000.',
      'NT: A prize of $5,001 needs a permit: it is above $5,000.',
    ],
  ],
  ['three times a year', { drawsAYear: 3 }, []],
  ['five times a year', { drawsAYear: 5 }, [inAYear('ACT', '$5,000', '$3,000')]],
  [
    'ten times a year',
    { drawsAYear: 10 },
    [inAYear('SA', '$10,000', '$5,000'), inAYear('ACT', '$10,000', '$3,000'), inAYear('NT', '$10,000', '$5,000')],
  ],
  [
    'eleven times a year',
    { drawsAYear: 11 },
    [
      inAYear('NSW', '$11,000', '$10,000'),
      inAYear('SA', '$11,000', '$5,000'),
      inAYear('ACT', '$11,000', '$3,000'),
      inAYear('NT', '$11,000', '$5,000'),
    ],
  ],
  ['told later', { winnerToldWithinDays: 8 }, ['SA: The winner must be told within 7 days.']],
  ['published later', { publishedWithinDays: 31 }, ['SA: The winner must be published within 30 days.']],
  ['published without a postcode', { published: ['initials'] }, ['SA: The winner’s postcode is to be published; it is not.']],
  ['kept for less', { recordsKeptMonths: 59 }, ['QLD: Records must be kept for 5 years.']],
  [
    'kept for a year',
    { recordsKeptMonths: 12 },
    ['NT: Records must be kept for 2 years.', 'VIC: Records must be kept for 3 years.', 'QLD: Records must be kept for 5 years.'],
  ],
])('checks a draw %s against each rule', (_, change, expected) => {
  expect(unmet(change)).toEqual(expected);
});

test('requires a scrutineer from a prize of 30,000 dollars', () => {
  expect(unmet({ prize: 30_000 })).toContain('SA: A prize from $30,000 needs an independent scrutineer.');
  expect(unmet({ prize: 29_999 }).join()).not.toContain('scrutineer');
});

test('the place that has given a permit asks for no other', () => {
  expect(unmet({ drawsAYear: 11, permits: ['NSW', 'NT'] })).toEqual([
    inAYear('SA', '$11,000', '$5,000'),
    inAYear('ACT', '$11,000', '$3,000'),
  ]);
});

const none = { permitNsw: '', permitSa: '', permitAct: '', permitNt: '' };

test.each([
  ['250', none, []],
  ['251', none, ['ACT']],
  ['416', none, ['ACT']],
  ['417', none, ['SA', 'ACT', 'NT']],
  ['833', none, ['SA', 'ACT', 'NT']],
  ['834', none, ['NSW', 'SA', 'ACT', 'NT']],
  ['1000', { ...none, permitNsw: 'TP/00042', permitAct: 'ACT TP 26/1' }, ['SA', 'NT']],
  ['20000', { ...none, permitSa: 'T26/1', permitNt: 'NT26/1' }, ['NSW', 'ACT']],
  ['20000', { permitNsw: '1', permitSa: '2', permitAct: '3', permitNt: '4' }, []],
])('twelve prizes of $%s with the permits %o leave out %o', (prize, permits, leftOut) => {
  expect(planPromotion({ prize, ...permits }).leftOut).toEqual(leftOut);
});

test('every place with a limit can be given a permit', () => {
  const places = promotionRules.filter(({ permitAbove }) => permitAbove !== null).map(({ place }) => place);
  expect(Object.keys(permitSettings).toSorted()).toEqual(places.toSorted());
});

test('a rule of a place that is left out is none of the draw’s; one that has given a permit keeps its others', () => {
  const rules = (permitSa: string) => planPromotion({ prize: '1000', ...none, permitSa }).unmet;
  expect(rules('')).toEqual([]);
  expect(rules('T26/1')).toEqual([{ place: 'SA', what: 'The winner’s postcode is to be published; it is not.' }]);
});

test('a larger prize and a missing permit are newly unmet; a name for what is missing is not', () => {
  const before = { prize: '1000', ...none };
  const places = (after: Partial<typeof before>, first = before) => listNewlyUnmet({ ...first, ...after }, first).map(({ place }) => place);
  expect(places({})).toEqual([]);
  expect(places({ prize: '2000' })).toEqual(['NSW', 'SA', 'ACT', 'NT']);
  expect(places({ permitNt: 'NT26/1' })).toEqual([]);
  expect(places({ permitNt: '' }, { ...before, permitNt: 'NT26/1' })).toEqual(['NT']);
});

test('a draw without permits says in its terms who is left out; with one, its number', async () => {
  clock.set(new Date('2030-03-10T00:00:00Z'));
  onTestFinished(() => void Object.assign(context, { findPromotion }));
  const { findPromotion } = context;
  const withPermit = { prize: '1000', ...none, permitNsw: 'TP/00042', permitAct: 'TP 26/1' };
  context.findPromotion = async () => withPermit;
  const { body } = await terms();
  expect(body).toMatchObject({
    permits: [
      { place: 'NSW', number: 'TP/00042' },
      { place: 'ACT', number: 'TP 26/1' },
    ],
    leftOut: ['SA', 'NT'],
  });
  expect(body.whoMayEnter.join(' ')).toContain('Not open to people who live in South Australia or the Northern Territory');
});

test('stores the terms when a month is created and never changes them', async () => {
  clock.set(new Date('2031-03-10T00:00:00Z'));
  const { status, body, headers } = await terms();
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(drawTerms.parse(body)).toMatchObject({
    version: 'terms-v4',
    period: '2031-03',
    closesAt: '2031-03-31T10:30:00.000Z',
    timeZone: 'Pacific/Auckland',
    prize: {
      title: 'Premium Listing Package worth $1,000',
      amountMinor: 100_000,
      currencies: ['NZD', 'AUD'],
      paid: expect.not.stringContaining('$1,000'),
    },
    log: { origin: 'localhost:3000/draws/2031-03', publicKey: Buffer.from(context.logKey.publicKey).toString('hex') },
    rules: promotionRules.map(toPromotionRule),
  });
  expect(body).not.toHaveProperty('unmet');
  for (const text of [
    'The winner has 30 days',
    'reminded after 7 and 25 days',
    'next of up to 10 reserves',
    'cannot win the same draw with another entry',
    'erased 90 days after the payment',
  ]) {
    expect(body.winner.join(' ')).toContain(text);
  }
  expect(body.tickets.join(' ')).toMatch(
    /you get one ticket and so does .* the owner of the code gets five tickets\..* up to 50 tickets at once.* the month in which it was earned\.$/,
  );
  expect(body.whoMayEnter.join(' ')).toMatch(
    /whose email address is confirmed when the entries close\..* Administrators, accounts that are suspended/,
  );
  expect(body.howDrawn.join(' ')).toMatch(
    /^Entries close at 11:30 pm .* leaf in a public log\..* beacon drand \(quicknet\)\..* the same chance/,
  );
  const [user] = [await given.user()];
  await db.transaction().execute((tx) => issueTickets(tx, context, { userId: user._id, tickets: 1, source: 'signup' }));
  expect((await terms()).body).toEqual(body);
  expect((await terms('2031-03')).body).toEqual(body);
  clock.set(new Date('2031-04-10T00:00:00Z'));
  expect((await terms()).body).toMatchObject({ period: '2031-04', startsAt: body.closesAt });
  expect((await terms('2031-03')).body).toEqual(body);
  expect((await findPeriod(db, 2031, 3))?.closesAt.toISOString()).toBe(body.closesAt);
});

test('the job creates a month with its terms and the head of its empty log, and logs unmet rules', async () => {
  clock.set(new Date('2032-06-30T11:30:00Z'));
  const { findPromotion } = context;
  onTestFinished(() => void Object.assign(context, { findPromotion }));
  context.findPromotion = async () => ({ prize: '1000', ...none, permitSa: 'T26/1' });
  parts.logged.length = 0;
  await ensurePeriod(context);
  await ensurePeriod(context);
  const [last] = (await listPeriods(db)).slice(-1);
  expect(last).toMatchObject({ year: 2032, month: 7, startsAt: new Date('2032-06-30T11:30:00Z'), logSize: 0 });
  expect((await terms('2032-07')).status).toBe(200);
  expect((await asVisitor.get('/draws/2032-07/log/checkpoint')).body).toMatch(
    /^localhost:3000\/draws\/2032-07\n0\n47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— localhost:3000\/draws\/2032-07 \S+\n$/,
  );
  const warnings = parts.logged.filter((line) => line.includes('the draw of 2032-07 does not meet every rule of promotions'));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain('postcode');
});

test('the email footer is the signed head in unbroken lines', () => {
  expect(ticketEmailFooter('origin\n1\nroot\n\n— origin key\n')).toMatchObject({ kind: 'fixed', text: 'origin\n1\nroot\n\n— origin key' });
});

test('stores entrants as long as the privacy policy says and the strictest state requires', () => {
  expect(recordsKeptMonths).toBe(drawRecordsYears * 12);
});
