import type { Listing } from '@handwise/contract/listings/calls';
import { expect, test } from 'vitest';
import {
  getFactStart,
  formatHours,
  forLimit,
  forOtherWork,
  noFacts,
  listOwnDays,
  findSharedTimes,
  splitFacts,
  withoutPrices,
  parseHours,
  toggleOwnDay,
  setSharedTimes,
} from './fact-form.ts';
import { listFactProblems } from './fact-schema.ts';

const closed = { from: '', until: '' };

test('converts hours to the fields of days and back; a day ends at midnight', () => {
  const hours = '{"mon":["07:30","17:00"],"sun":["00:00","24:00"]}';
  const times = parseHours(hours);
  expect(times).toMatchObject({ mon: { from: '07:30', until: '17:00' }, tue: closed, sun: { from: '00:00', until: '00:00' } });
  expect(formatHours(times)).toBe(hours);
  expect(formatHours(parseHours(''))).toBe('');
  // An incomplete day is preserved, so that the missing half can be reported.
  expect(formatHours({ ...parseHours(''), tue: { from: '08:00', until: '' } })).toBe('{"tue":["08:00",""]}');
});

test('shares hours among Monday to Friday, except days with their own', () => {
  const day = { from: '07:30', until: '17:00' };
  const week = formatHours(setSharedTimes(parseHours(''), day, []));
  expect(week).toBe(JSON.stringify(Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((name) => [name, ['07:30', '17:00']]))));
  expect(listOwnDays(week)).toEqual([]);
  expect(findSharedTimes(parseHours(week), [])).toEqual(day);

  // Closed Wednesday and open Saturday have their own hours, so they do not follow the others.
  const own = ['wed', 'sat'] as const;
  const closedOnWednesday = toggleOwnDay(parseHours(week), 'wed', own);
  const mixed = formatHours({ ...closedOnWednesday, sat: { from: '09:00', until: '12:00' } });
  expect(listOwnDays(mixed)).toEqual(['wed', 'sat']);
  const later = setSharedTimes(parseHours(mixed), { from: '08:00', until: '16:00' }, own);
  expect(later).toMatchObject({
    mon: { from: '08:00' },
    wed: closed,
    fri: { until: '16:00' },
    sat: { from: '09:00', until: '12:00' },
    sun: closed,
  });

  // Without their own hours, Wednesday follows the others and Saturday is closed.
  expect(toggleOwnDay(later, 'wed', ['sat'])['wed']).toEqual({ from: '08:00', until: '16:00' });
  expect(toggleOwnDay(later, 'sat', ['wed'])['sat']).toEqual(closed);
  expect(listOwnDays('')).toEqual([]);
});

test("starts the edit form with the listing's valid values", () => {
  const listing = {
    priceGuide: { from: 9550, unit: 'hour', callOut: 6000, minimumCharge: 0, currency: 'NZD' },
    inTradeSince: 2009,
    hours: { mon: ['07:30', '17:00'] },
    emergency: true,
    emergencyCallOut: true,
    insured: false,
    licence: { register: 'pgdb', registerName: '', page: '', number: '1', name: 'Mere' },
    registerCheck: { number: '9429000000017' },
    gstNumber: '49-091-850',
  } as unknown as Listing;
  const start = getFactStart(listing);
  expect(start).toEqual({
    priceFrom: '95.50',
    priceUnit: 'hour',
    callOut: '60',
    minimumCharge: '0',
    inTradeSince: '2009',
    hours: '{"mon":["07:30","17:00"]}',
    emergency: 'true',
    emergencyCallOut: 'true',
    insured: '',
    licenceAnswer: 'licence',
    licenceRegister: 'pgdb',
    licenceClass: '',
    licenceExemption: '',
    licenceNumber: '1',
    licenceName: 'Mere',
    businessNumber: '9429000000017',
    gstNumber: '49-091-850',
    gstRegistered: '',
  });
  expect(listFactProblems(start, 'NZ')).toEqual([]);
  const bare = { priceGuide: null, inTradeSince: null, hours: null, emergency: false, insured: false, licence: null, registerCheck: null };
  expect(getFactStart(bare as unknown as Listing)).toEqual(noFacts);
  expect(listFactProblems(noFacts, 'AU')).toEqual([]);
});

test.each([
  [{ priceFrom: 'cheap' }, 'NZ', 'priceFrom', 'Use dollars, such as 95 or 95.50'],
  [{ priceFrom: '95' }, 'NZ', 'priceUnit', 'Choose what the price is for'],
  [{ hours: '{"tue":["08:00",""]}' }, 'NZ', 'hours', 'Use a time such as 17:00'],
  [{ businessNumber: '9429000000017' }, 'AU', 'businessNumber', 'This is not a valid ABN: a digit is wrong or missing'],
  [{ gstNumber: '49-091-851' }, 'NZ', 'gstNumber', 'This is not a valid GST number: a digit is wrong or missing'],
] as const)('%j in %s is wrong at %s: %s', (texts, country, field, message) => {
  expect(listFactProblems({ ...noFacts, ...texts }, country)).toEqual([{ field, message }]);
});

test('an exemption and a limit are about one work in one place, a licence is not', () => {
  const licence = { ...noFacts, licenceAnswer: 'licence', licenceNumber: '1', priceFrom: '95' } as const;
  expect(forOtherWork(licence)).toEqual(licence);
  for (const licenceAnswer of ['exempt', 'below-limit'] as const)
    expect(forOtherWork({ ...noFacts, priceFrom: '95', licenceAnswer, licenceExemption: 'Only drains' })).toEqual({
      ...noFacts,
      priceFrom: '95',
    });
});

test('an answer that named a limit above that of the law is asked for again', () => {
  const below = { ...noFacts, priceFrom: '95', licenceAnswer: 'below-limit' } as const;
  const law = (thresholdMinor: number | null) => ({ required: 'above-threshold', thresholdMinor }) as const;
  expect(forLimit(below, law(100_000), 500_000)).toEqual({ ...noFacts, priceFrom: '95' });
  expect(forLimit(below, { required: 'yes', thresholdMinor: null }, 500_000)).toEqual({ ...noFacts, priceFrom: '95' });
  for (const threshold of [500_000, 600_000, null]) expect(forLimit(below, law(threshold), 500_000)).toEqual(below);
  const exempt = { ...below, licenceAnswer: 'exempt' } as const;
  expect(forLimit(exempt, law(100_000), 500_000)).toEqual(exempt);
});

test('the next listing of a business starts without the prices of this one', () => {
  const prices = { priceFrom: '95', priceUnit: 'hour', callOut: '60', minimumCharge: '0' } as const;
  const business = { ...noFacts, emergencyCallOut: 'true', insured: 'true', inTradeSince: '2009', businessNumber: '1' } as const;
  expect(withoutPrices({ ...business, ...prices })).toEqual(business);
});

test('splits a form into its facts and the rest', () => {
  expect(splitFacts({ ...noFacts, priceFrom: '95', title: 'Plumber' })).toEqual([{ ...noFacts, priceFrom: '95' }, { title: 'Plumber' }]);
});
