import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, callers } = await testApp();
const { as, asVisitor } = callers;

const waipa = 'Waipā, Waikato, New Zealand';
const hamilton = 'Hamilton, Waikato, New Zealand';

const areaOf = ({ base, serviceRadiusKm, serviceDistricts }: Record<string, unknown>) => ({ base, serviceRadiusKm, serviceDistricts });
const nothing = { base: null, serviceRadiusKm: null, serviceDistricts: [] };

/** A seller with a listing, and how they change it. */
async function seller(more: Record<string, string | readonly string[]> = {}) {
  const { seller: user, listing } = await given.published('basic', [], { location: waipa, ...more });
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { location: waipa });
  const edit = (changes: Record<string, string | readonly string[]>) =>
    as(user).putForm(`/listing/${listing._id}`, { ...form, ...changes });
  return { user, listing, edit };
}

test('shows base and service area on page, card and in the owner’s data', async () => {
  const { listing, user } = await seller({ base: 'cambridge', serviceRadiusKm: '30' });
  const area = { base: 'Cambridge', serviceRadiusKm: 30, serviceDistricts: [] };
  expect(areaOf(listing)).toEqual(area);
  expect(areaOf((await asVisitor.get(`/listing/${listing._id}`)).body)).toEqual(area);
  expect(areaOf((await as(user).get('/listing/mylistings')).body.listings[0])).toEqual(area);
  const near = await asVisitor.get('/search?near=cambridge, waikato&km=1');
  expect(near.body.listings).toMatchObject([{ _id: listing._id, distanceKm: 0, why: { distanceKm: 0 } }]);
});

test('finds a listing without a base from its district’s main town', async () => {
  const { listing } = await seller({ location: 'Gore, Southland, New Zealand' });
  expect(areaOf(listing)).toEqual(nothing);
  const { body } = await asVisitor.get('/search?near=Gore&km=1');
  expect(body.listings.map((one: { _id: string }) => one._id)).toEqual([listing._id]);
  expect(body.listings[0]).not.toHaveProperty('distanceKm');
});

test('keeps omitted fields, clears empty ones, and replaces radius by districts or the reverse', async () => {
  const { edit } = await seller({ base: 'Cambridge', serviceRadiusKm: '30' });
  const after = async (changes: Record<string, string>) => areaOf((await edit(changes)).body.listing);
  expect(await after({})).toEqual({ base: 'Cambridge', serviceRadiusKm: 30, serviceDistricts: [] });
  // Its own district is always one of them.
  expect(await after({ serviceDistricts: 'Hamilton' })).toEqual({
    base: 'Cambridge',
    serviceRadiusKm: null,
    serviceDistricts: ['Hamilton', 'Waipā'],
  });
  expect(await after({})).toMatchObject({ serviceDistricts: ['Hamilton', 'Waipā'] });
  expect(await after({ serviceRadiusKm: '5' })).toEqual({ base: 'Cambridge', serviceRadiusKm: 5, serviceDistricts: [] });
  expect(await after({ base: 'Te Awamutu' })).toEqual({ base: 'Te Awamutu', serviceRadiusKm: 5, serviceDistricts: [] });
  expect(await after({ serviceRadiusKm: '' })).toEqual({ base: 'Te Awamutu', serviceRadiusKm: null, serviceDistricts: [] });
  expect(await after({ serviceDistricts: 'Hamilton,Waipā' })).toMatchObject({ serviceDistricts: ['Hamilton', 'Waipā'] });
  expect(await after({ serviceDistricts: '', base: '' })).toEqual(nothing);
});

test('removes base and radius when a listing moves to another district', async () => {
  const { edit } = await seller({ base: 'Cambridge', serviceRadiusKm: '30' });
  expect(areaOf((await edit({ location: hamilton })).body.listing)).toEqual(nothing);
  const other = await seller({ serviceDistricts: 'Waipā' });
  expect(areaOf((await other.edit({ location: hamilton })).body.listing)).toEqual({ ...nothing, serviceDistricts: ['Hamilton', 'Waipā'] });
});

test.each([
  [{ base: 'Hamilton East' }, 'base'],
  [{ base: 'Narnia' }, 'base'],
  [{ serviceRadiusKm: '30' }, 'base'],
  [{ base: 'Cambridge', serviceRadiusKm: '0' }, 'serviceRadiusKm'],
  [{ base: 'Cambridge', serviceRadiusKm: '30', serviceDistricts: 'Hamilton' }, 'serviceDistricts'],
  [{ serviceDistricts: 'Sydney' }, 'serviceDistricts'],
  [
    {
      serviceDistricts:
        'Far North,Kaipara,Whangārei,Auckland,Hamilton,Hauraki,Matamata-Piako,Ōtorohanga,South Waikato,Taupō,Thames-Coromandel,Waikato District,Waitomo,Kawerau,Ōpōtiki,Rotorua Lakes,Tauranga,Western Bay of Plenty,Whakatāne,Gisborne',
    },
    'serviceDistricts',
  ],
])('rejects %o naming %s on create and edit', async (area, field) => {
  const { edit, user, listing } = await seller();
  const refused = await edit(area);
  expect([refused.status, refused.body.errors.map((one: { field: string }) => one.field)]).toEqual([400, [field]]);
  const created = await as(user).postForm('/listing/create', given.listingForm('basic', { location: waipa, ...area }));
  expect([created.status, created.body.errors.map((one: { field: string }) => one.field)]).toEqual([400, [field]]);
  expect(areaOf((await asVisitor.get(`/listing/${listing._id}`)).body)).toEqual(nothing);
});

test('suggests a district’s towns and suburbs while typing', async () => {
  const offered = async (begins: string) => (await asVisitor.get(`/listing/bases?district=Waip%C4%81&begins=${begins}`)).body;
  expect(await offered('camb')).toEqual({ bases: ['Cambridge'], named: null });
  expect(await offered('CAMBRIDGE')).toEqual({ bases: ['Cambridge'], named: 'Cambridge' });
  const { bases, named } = await offered('');
  expect(bases).toEqual(bases.toSorted((one: string, other: string) => one.localeCompare(other, 'en-NZ')));
  expect([bases.includes('Te Awamutu'), named]).toEqual([true, null]);
  expect((await asVisitor.get('/listing/bases?district=Sydney')).body.bases).toHaveLength(50);
  expect((await asVisitor.get('/listing/bases?district=Narnia')).status).toBe(400);
});

test('suggests towns and suburbs with their districts and regions, and all of one name', async () => {
  const towns = async (query: string) => (await asVisitor.get(`/listing/towns?${query}`)).body.towns;
  const taupo = { name: 'Taupō', label: 'Taupō, Waikato', base: 'Taupō', district: 'Taupō', region: 'Waikato', country: 'NZ' };
  expect((await towns('begins=taupo&country=NZ'))[0]).toEqual(taupo);
  // A city without a suburb of its name stands for its centre.
  expect((await towns('begins=auckland&country=NZ'))[0]).toMatchObject({
    name: 'Auckland',
    region: 'Auckland',
    base: expect.stringMatching(/./),
  });
  expect(await towns('begins=taup&country=AU')).not.toContainEqual(taupo);
  const newtowns = (await towns('begins=newtown')).filter(({ base }: { base: string }) => base === 'Newtown');
  expect(newtowns.length).toBeGreaterThan(2);
  expect(new Set(newtowns.map(({ country }: { country: string }) => country))).toEqual(new Set(['NZ', 'AU']));
  expect(await towns('begins=t')).toHaveLength(8);
  expect(await towns('begins=xqzw')).toEqual([]);
  expect((await asVisitor.get('/listing/towns')).status).toBe(400);
  // A host of one country shows its own.
  const { body } = await callers.onHost('handwise.co.nz').get('/listing/towns?begins=newtown&country=AU');
  expect(new Set(body.towns.map(({ country }: { country: string }) => country))).toEqual(new Set(['NZ']));
});
