import { expect, test } from 'vitest';
import { describeFacts, factColumns, factNames, facts, flagNames, mapFlags } from './facts.ts';

const none = { priceGuide: null, hours: null, inTradeSince: null, ...mapFlags(() => false) };
const all = {
  priceGuide: { from: 9500, unit: 'hour', callOut: 0, minimumCharge: null, currency: 'NZD' },
  hours: { mon: ['07:30', '17:00'], sun: ['00:00', '24:00'] },
  inTradeSince: 2009,
  ...mapFlags(() => true),
};

test('describes what a listing says, in the order of the table', () => {
  expect(describeFacts(all).map(({ name, text, card }) => [name, text, card])).toEqual([
    ['Price guide', 'From $95 per hour, no call-out fee', null],
    ['Hours', ['Mon, 7:30 am to 5 pm', 'Sun, all day'], null],
    ['Emergencies', 'Takes emergency call-outs', 'Emergency call-outs'],
    ['After hours', 'Comes out after hours', 'Comes out after hours'],
    ['Insurance', 'Says it is insured', null],
    ['In the trade', 'Since 2009', 'Since 2009'],
  ]);
});

test('says nothing for a listing that says nothing, and the same facts in a comparison', () => {
  for (const listing of [none, {}])
    expect(describeFacts(listing)).toEqual(
      describeFacts(all).map(({ name, none: instead }) => ({ name, text: null, detail: null, card: null, none: instead })),
    );
});

test('names the hours that emergency call-outs are outside of', () => {
  const detailOf = (listing: Record<string, unknown>) => describeFacts(listing).find(({ name }) => name === 'Emergencies')?.detail;
  expect(detailOf(all)).toBe('Also takes emergency call-outs outside these hours');
  expect(detailOf({ ...all, hours: null })).toBe('Takes emergency call-outs');
});

test('each fact has a column and a label of its own, and each flag a statement and words', () => {
  expect(new Set(factColumns).size).toBe(factNames.length);
  expect(new Set(factNames.map((name) => facts[name].label)).size).toBe(factNames.length);
  for (const name of flagNames) expect([facts[name].statement, facts[name].shown.none].every(Boolean)).toBe(true);
});
