import type { Listing } from '@handwise/contract/listings/calls';
import { expect, test } from 'vitest';
import { createEditForm, toEditInput, getEditStart, listStoredPhotos } from './edit-form.ts';

const picture = (name: string) => ({
  src: `/files/${name}-1600.webp`,
  srcSet: `/files/${name}-400.webp 400w, /files/${name}-1600.webp 1600w`,
  avifSrcSet: '',
  width: 1600,
  height: 1200,
  thumbhash: '',
  alt: name,
});
const listing = {
  _id: '0192f0c4-0000-7000-8000-000000000000',
  serviceTitle: 'Plumber',
  businessTitle: 'Walker Plumbing',
  businessEmailAddress: 'hemi@example.org',
  businessInfo: 'Three plumbers with forty years of experience between them, on time.',
  serviceDescription: 'Leaks, blocked drains and hot water.',
  serviceCategory: 'Plumbing',
  serviceSubCategory: null,
  website: '',
  country: 'NZ',
  region: 'Waikato',
  district: 'Taupō',
  base: 'Acacia Bay',
  serviceRadiusKm: 30,
  serviceDistricts: [],
  services: ['Leaks', 'Drains'],
  logoColor: '#10B981',
  pictures: [picture('a'), picture('b')],
  hiddenPictures: [picture('c')],
} as unknown as Listing;

test("keeps photos beyond the plan's limit after the others", () => {
  expect(listStoredPhotos(listing)).toEqual([
    { id: '/files/a-1600.webp', name: 'a', src: '/files/a-400.webp' },
    { id: '/files/b-1600.webp', name: 'b', src: '/files/b-400.webp' },
    { id: '/files/c-1600.webp', name: 'c', src: '/files/c-400.webp' },
  ]);
});

test('sends stored photos by address and new ones by file position', () => {
  const [a, , c] = listStoredPhotos(listing);
  const van = new File(['van'], 'van.png');
  const shed = new File(['shed'], 'shed.png');
  if (!a || !c) throw new Error('photos are missing');
  const photos = [{ id: 'x', name: 'van.png', file: van }, c, { id: 'y', name: 'shed.png', file: shed }, a];
  const { form, files } = toEditInput(listing, getEditStart(listing), photos, null);
  expect(JSON.parse(form.serviceImageOrder)).toEqual(['new:0', '/files/c-1600.webp', 'new:1', '/files/a-1600.webp']);
  expect(files).toEqual({ serviceImages: [van, shed], logo: [] });
  expect(form).toMatchObject({ services: 'Leaks,Drains', location: 'Taupō, Waikato, New Zealand' });
  expect(form).toMatchObject({ base: 'Acacia Bay', serviceRadiusKm: '30', serviceDistricts: '' });
  expect(form).not.toHaveProperty('usingDefaultLogo');
});

test('sends optional facts, cleared ones as well', () => {
  const values = { ...getEditStart(listing), priceFrom: '95', priceUnit: 'hour' as const };
  expect(toEditInput(listing, values, [], null).form).toMatchObject({ priceFrom: '95', priceUnit: 'hour', businessNumber: '', hours: '' });
  const { error } = createEditForm('NZ').safeParse({ ...values, priceUnit: '', website: '' });
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([['priceUnit', 'Choose what the price is for']]);
});

test('replaces a removed logo with the letter on the chosen colour, and sends a new one', () => {
  expect(toEditInput(listing, getEditStart(listing), [], { color: '#EF4444' }).form).toMatchObject({
    usingDefaultLogo: 'true',
    defaultLogoColor: '#EF4444',
  });
  const logo = new File(['logo'], 'logo.png');
  expect(toEditInput(listing, getEditStart(listing), [], { file: logo }).files.logo).toEqual([logo]);
});

test.each([
  [{ serviceTitle: ' ' }, 'serviceTitle', 'Service title is required'],
  [{ businessTitle: '' }, 'businessTitle', 'Business name is required'],
  [{ businessEmailAddress: '' }, 'businessEmailAddress', 'Email is required'],
  [{ businessEmailAddress: 'hemi' }, 'businessEmailAddress', 'Invalid email format'],
  [{ businessInfo: '' }, 'businessInfo', 'Business information is required'],
  [{ serviceDescription: '' }, 'serviceDescription', 'Service description is required'],
  [{ serviceCategory: '' }, 'serviceCategory', 'Category is required'],
  [{ services: [] }, 'services', 'At least one service is required'],
  [{ region: '', district: '' }, 'region', 'Location is required'],
  [{ district: '' }, 'district', 'Location is required'],
  [{ base: '' }, 'base', 'Say which town or suburb you are based in, so that the distance counts from there'],
])('reports for an edit with %j at %s: %s', (change, field, message) => {
  const { error } = createEditForm('NZ').safeParse({ ...getEditStart(listing), ...change });
  expect(error?.issues.find((issue) => issue.path[0] === field)?.message).toBe(message);
});

test('accepts an unchanged listing', () => {
  expect(createEditForm('NZ').safeParse(getEditStart(listing)).success).toBe(true);
});

test('asks for the area code of a local number unless the state is certain', () => {
  const problemOf = (country: 'NZ' | 'AU', region: string, businessPhone: string) =>
    createEditForm(country)
      .safeParse({ ...getEditStart(listing), businessPhone, region })
      .error?.issues.filter(({ path }) => path[0] === 'businessPhone')
      .map(({ message }) => message);
  expect(problemOf('AU', 'Victoria', '3123 4567')).toEqual(['Add the area code, such as 03']);
  expect(problemOf('AU', 'Victoria', '9123 4567')).toEqual(undefined);
  expect(problemOf('NZ', 'Waikato', '345 6789')).toEqual(['Add the area code, such as 09']);
  expect(problemOf('NZ', '', 'call me')).toEqual(['Phone number must be exactly 10 digits']);
});
