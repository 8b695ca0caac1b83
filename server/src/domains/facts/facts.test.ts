import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { getOwnListingData } from '../listings/listings.service.ts';
import { endListings } from '../selling/selling.service.ts';

const { db, given, callers, registers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock } = parts;

type Texts = Record<string, string>;
const number = '9429000000017';
const abn = '51824753556';
const perth = { district: 2101, location: 'Perth, Western Australia, Australia' };

const facts = {
  priceFrom: '$1,095.50',
  priceUnit: 'hour',
  callOut: '60',
  minimumCharge: '120',
  inTradeSince: '2009',
  hours: '{"mon":["07:30","17:00"],"sat":["09:00","24:00"]}',
  emergency: 'true',
  emergencyCallOut: 'true',
  insured: 'true',
  licenceRegister: 'pgdb',
  licenceNumber: '12345',
  licenceName: 'Mere Kingi',
  licenceClass: 'Certifying plumber',
};
const shown = {
  priceGuide: { from: 109_550, unit: 'hour', callOut: 6000, minimumCharge: 12_000, currency: 'NZD' },
  inTradeSince: 2009,
  hours: { mon: ['07:30', '17:00'], sat: ['09:00', '24:00'] },
  emergency: true,
  emergencyCallOut: true,
  insured: true,
  licence: {
    register: 'pgdb',
    registerName: 'Plumbers, Gasfitters and Drainlayers Board',
    page: 'https://www.pgdb.co.nz/',
    number: '12345',
    name: 'Mere Kingi',
    class: 'Certifying plumber',
  },
};
const nothing = {
  priceGuide: null,
  inTradeSince: null,
  hours: null,
  emergency: false,
  emergencyCallOut: false,
  insured: false,
  licence: null,
  verified: [],
};

test('shows the given facts on card and page, and nothing for empty fields', async () => {
  registers.set(number, { name: 'KINGI LIMITED' });
  const { seller, listing } = await given.published('basic', [], { ...facts, businessNumber: number });
  expect(listing).toMatchObject({ ...shown, verified: [], registerCheck: { number, state: 'claimed' } });
  await outbox.runJobs();
  const id: string = listing._id;
  const seen = async () => (await asVisitor.get(`/listing/${id}`)).body;
  expect(await seen()).toMatchObject({ ...shown, verified: [{ number }] });
  const { listings } = (await as(seller).get('/listing/mylistings')).body;
  expect(listings.find((one: { _id: string }) => one._id === id)).toMatchObject(shown);
  const quiet = await given.editedListing();
  expect(await quiet.seen()).toMatchObject(nothing);
  expect((await quiet.own()).registerCheck).toBeNull();
});

test('keeps fields that an edit omits and clears blank ones', async () => {
  const { edit, seen } = await given.editedListing(facts);
  await edit();
  expect(await seen()).toMatchObject(shown);
  await edit({ priceFrom: '', priceUnit: '', hours: '{}', emergency: 'false', emergencyCallOut: 'false', callOut: '', minimumCharge: '0' });
  expect(await seen()).toMatchObject({
    ...shown,
    priceGuide: { from: null, unit: null, callOut: null, minimumCharge: 0 },
    hours: null,
    emergency: false,
    emergencyCallOut: false,
  });
  await edit({ minimumCharge: '', callOut: '0' });
  expect(await seen()).toMatchObject({ priceGuide: { from: null, callOut: 0, minimumCharge: null } });
  // Other work, which needs no licence.
  const cleared = { callOut: '', inTradeSince: '', insured: '', licenceRegister: '', licenceNumber: '', licenceName: '' };
  await edit({ serviceCategory: 'Handyman', ...cleared });
  expect(await seen()).toMatchObject(nothing);
});

const anySeller = given.user();
test.each([
  ['priceFrom', { priceFrom: 'ninety', priceUnit: 'hour' }, 'Use dollars, such as 95 or 95.50'],
  ['priceFrom', { priceFrom: '9.505', priceUnit: 'hour' }, 'Use dollars, such as 95 or 95.50'],
  ['priceFrom', { priceFrom: '-5', priceUnit: 'hour' }, 'Use dollars, such as 95 or 95.50'],
  ['priceFrom', { priceFrom: '0', priceUnit: 'hour' }, 'Use at least one cent'],
  ['priceFrom', { priceFrom: '100000.01', priceUnit: 'hour' }, 'Use at most $100,000'],
  ['priceUnit', { priceFrom: '95' }, 'Choose what the price is for'],
  ['priceUnit', { priceFrom: '95', priceUnit: 'minute' }, 'Choose what the price is for'],
  ['priceFrom', { priceUnit: 'hour' }, 'Say where your prices begin'],
  ['callOut', { callOut: '100000.01' }, 'Use at most $100,000'],
  ['minimumCharge', { minimumCharge: '-1' }, 'Use dollars, such as 95 or 95.50'],
  ['minimumCharge', { minimumCharge: '100000.01' }, 'Use at most $100,000'],
  ['inTradeSince', { inTradeSince: '09' }, 'Use a year, such as 2009'],
  ['inTradeSince', { inTradeSince: '1849' }, 'Use a year from 1850 on'],
  ['inTradeSince', { inTradeSince: String(clock.now().getUTCFullYear() + 1) }, 'Use a year that has begun'],
  ['hours', { hours: 'from 9 to 5' }, 'Use a JSON object of days with opening and closing times'],
  ['hours', { hours: '{"mon":["17:00","08:00"]}' }, 'Close after you open'],
  ['hours', { hours: '{"mon":["08:00","08:00"]}' }, 'Close after you open'],
  ['hours', { hours: '{"mon":["8:00","17:00"]}' }, 'Use a time such as 07:30'],
  ['hours', { hours: '{"mon":["24:00","24:00"]}' }, 'Use a time such as 07:30'],
  ['hours', { hours: '{"mon":["08:00","25:00"]}' }, 'Use a time such as 17:00'],
  ['licenceRegister', { licenceRegister: '', licenceNumber: '12345' }, 'Choose the register of the licence'],
  ['licenceRegister', { licenceRegister: '', licenceName: 'Mere Kingi' }, 'Choose the register of the licence'],
  ['licenceRegister', { ...facts, licenceRegister: 'qbcc' }, 'Choose a register of the listing’s country'],
  ['licenceNumber', { ...facts, licenceNumber: '' }, 'Use the number of the licence'],
  ['licenceName', { ...facts, licenceName: ' ' }, 'Say who holds the licence'],
  ['businessNumber', { businessNumber: '9429000000018' }, 'This is not a valid NZBN: a digit is wrong or missing'],
  ['businessNumber', { businessNumber: abn }, 'This is not a valid NZBN: a digit is wrong or missing'],
  [
    'businessNumber',
    { businessNumber: '9429000000017', location: 'Perth, Western Australia, Australia' },
    'This is not a valid ABN: a digit is wrong or missing',
  ],
  ['gstNumber', { gstNumber: 'GST 49-091-851' }, 'This is not a valid GST number: a digit is wrong or missing'],
  [
    'businessNumber',
    { gstRegistered: 'true', businessNumber: '', location: 'Perth, Western Australia, Australia' },
    'Use the ABN under which you are registered for GST',
  ],
])('rejects %s of %j: %s', async (field, texts, message) => {
  const answer = await as(await anySeller).postForm('/listing/create', given.listingForm('basic', texts));
  expect([answer.status, answer.body.errors]).toEqual([400, [{ field, message }]]);
});

test('accepts the current year and the highest amounts', async () => {
  const year = String(clock.now().getUTCFullYear());
  const most = '100000';
  const { seen } = await given.editedListing({ inTradeSince: year, priceFrom: most, priceUnit: 'job', callOut: most, minimumCharge: most });
  const priceGuide = { from: 10_000_000, callOut: 10_000_000, minimumCharge: 10_000_000 };
  expect(await seen()).toMatchObject({ inTradeSince: Number(year), priceGuide });
});

test('accepts the earliest year', async () => {
  const { seen } = await given.editedListing({ inTradeSince: '1850' });
  expect((await seen()).inTradeSince).toBe(1850);
});

test('a GST number is for its owner alone; an omitted one stays and a blank one goes', async () => {
  const { own, seen, edit } = await given.editedListing({ gstNumber: 'GST 049-091-850' });
  expect(await own()).toMatchObject({ gstNumber: '49-091-850', gstRegistered: false });
  expect(JSON.stringify(await seen())).not.toMatch(/49-?091-?850|gstNumber|gstRegistered/);
  const change = async (texts: Texts) => {
    await edit(texts);
    return own();
  };
  expect(await change({ emergency: 'true' })).toMatchObject({ gstNumber: '49-091-850' });
  expect(await change({ gstNumber: '' })).toMatchObject({ gstNumber: '' });
  const perthBusiness = await given.editedListing({ gstRegistered: 'true', businessNumber: abn }, perth);
  expect(await perthBusiness.own()).toMatchObject({ gstNumber: '', gstRegistered: true });
  // What was typed before the country was chosen belongs to the other one.
  const moved = await given.editedListing({ gstNumber: '49091851', gstRegistered: 'true', businessNumber: abn }, perth);
  expect(await moved.own()).toMatchObject({ gstNumber: '', gstRegistered: true });
  expect(await (await given.editedListing({ gstRegistered: 'true' })).own()).toMatchObject({ gstRegistered: false });
});

test('exports the facts with the user’s data and deletes it with the account', async () => {
  registers.set(number, { name: 'KINGI LIMITED' });
  const { seller, id } = await given.editedListing({ ...facts, businessNumber: number, gstNumber: '49091850' });
  await outbox.runJobs();
  const { lists } = await getOwnListingData(db, seller._id);
  expect(await lists['listings']?.()).toMatchObject([
    {
      priceFromCents: 109_550,
      priceUnit: 'hour',
      callOutCents: 6000,
      minimumChargeCents: 12_000,
      inTradeSince: 2009,
      hours: shown.hours,
      emergency: true,
      emergencyCallOut: true,
      insured: true,
      licenceRegister: 'pgdb',
      licenceNumber: '12345',
      licenceName: 'Mere Kingi',
      businessNumber: number,
      gstNumber: '49091850',
      gstRegistered: false,
      registerCheck: { register: 'nzbn', number, state: 'verified', registerName: 'KINGI LIMITED' },
    },
  ]);
  await db.transaction().execute((tx) => endListings(tx, seller._id, []));
  const row = await db.selectFrom('listings').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ licence_register: null, licence_number: null, licence_name: null, business_number: null, verified: false });
  expect(row).toMatchObject({ gst_number: null, gst_registered: false });
  expect(await db.selectFrom('register_checks').selectAll().where('listing_id', '=', id).execute()).toEqual([]);
});
