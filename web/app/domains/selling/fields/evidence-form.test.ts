import type { Listing } from '@handwise/contract/listings';
import { expect, test } from 'vitest';
import { evidenceProblems, evidenceStart, hoursOf, noEvidence, splitEvidence, timesOf } from './evidence-form.ts';

const closed = { from: '', until: '' };

test('hours go into the fields of the days and come back as they were; a day ends at midnight', () => {
  const hours = '{"mon":["07:30","17:00"],"sun":["00:00","24:00"]}';
  const times = timesOf(hours);
  expect(times).toMatchObject({ mon: { from: '07:30', until: '17:00' }, tue: closed, sun: { from: '00:00', until: '00:00' } });
  expect(hoursOf(times)).toBe(hours);
  expect(hoursOf(timesOf(''))).toBe('');
  // Half a day is kept, so that it can be said that the other half is missing.
  expect(hoursOf({ ...timesOf(''), tue: { from: '08:00', until: '' } })).toBe('{"tue":["08:00",""]}');
});

test('the edit form begins with what the listing says, which has no faults', () => {
  const listing = {
    priceGuide: { from: 9550, unit: 'hour', callOut: 6000, currency: 'NZD' },
    inTradeSince: 2009,
    hours: { mon: ['07:30', '17:00'] },
    emergency: true,
    insured: false,
    licence: { register: 'pgdb', registerName: '', page: '', number: '1', name: 'Mere' },
    registerCheck: { number: '9429000000017' },
  } as unknown as Listing;
  const start = evidenceStart(listing);
  expect(start).toEqual({
    priceFrom: '95.50',
    priceUnit: 'hour',
    callOut: '60',
    inTradeSince: '2009',
    hours: '{"mon":["07:30","17:00"]}',
    emergency: 'true',
    insured: '',
    licenceRegister: 'pgdb',
    licenceNumber: '1',
    licenceName: 'Mere',
    businessNumber: '9429000000017',
  });
  expect(evidenceProblems(start, 'NZ')).toEqual([]);
  const bare = { priceGuide: null, inTradeSince: null, hours: null, emergency: false, insured: false, licence: null, registerCheck: null };
  expect(evidenceStart(bare as unknown as Listing)).toEqual(noEvidence);
  expect(evidenceProblems(noEvidence, 'AU')).toEqual([]);
});

test.each([
  [{ priceFrom: 'cheap' }, 'NZ', 'priceFrom', 'Use dollars, such as 95 or 95.50'],
  [{ priceFrom: '95' }, 'NZ', 'priceUnit', 'Choose what the price is for'],
  [{ hours: '{"tue":["08:00",""]}' }, 'NZ', 'hours', 'Use a time such as 17:00'],
  [{ businessNumber: '9429000000017' }, 'AU', 'businessNumber', 'This is no ABN: a digit is wrong or missing'],
] as const)('%j in %s is wrong at %s: %s', (texts, country, field, message) => {
  expect(evidenceProblems({ ...noEvidence, ...texts }, country)).toEqual([{ field, message }]);
});

test('a form is parted into its evidence and everything else', () => {
  expect(splitEvidence({ ...noEvidence, priceFrom: '95', title: 'Plumber' })).toEqual([
    { ...noEvidence, priceFrom: '95' },
    { title: 'Plumber' },
  ]);
});
