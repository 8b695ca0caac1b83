import { expect, test } from 'vitest';
import { z } from 'zod';
import { noServiceArea, toServiceAreaInput, toShownServiceArea, toServiceAreaForm } from './service-area-form.ts';
import { formatServiceArea } from './service-area-words.ts';
import { hasBaseForDistance, serviceAreaFields } from './service-area.ts';

test.each([
  [{ base: 'Cambridge', serviceRadiusKm: 30, serviceDistricts: [] }, 'Based in Cambridge · works within 30 km'],
  [{ base: null, serviceRadiusKm: null, serviceDistricts: ['Hamilton', 'Waipā'] }, 'Serves Hamilton, Waipā'],
  [{ base: 'Cambridge', serviceRadiusKm: null, serviceDistricts: ['Hamilton', 'Waipā'] }, 'Based in Cambridge · serves Hamilton, Waipā'],
  [{ base: 'Cambridge', serviceRadiusKm: null, serviceDistricts: [] }, 'Based in Cambridge'],
  [{ base: null, serviceRadiusKm: null, serviceDistricts: [] }, ''],
])('describes %o as “%s”', (area, text) => {
  expect(formatServiceArea(area, 'Waipā')).toBe(text);
  expect(toShownServiceArea(toServiceAreaForm(area))).toEqual(area);
});

test.each([
  ['New Plymouth', 'New Plymouth'],
  ['Wellington', 'Wellington City'],
])('omits the base %s below %s', (base, district) => {
  expect(formatServiceArea({ base, serviceRadiusKm: null, serviceDistricts: [] }, district)).toBe('');
  expect(formatServiceArea({ base, serviceRadiusKm: 20, serviceDistricts: [] }, district)).toBe('Works within 20 km');
});

const fields = z.object(serviceAreaFields);

test('converts a form with a distance, districts or nothing for the calls', () => {
  const area = { base: 'Cambridge', reach: '30', serviceDistricts: ['Waipā'] };
  expect(fields.parse(toServiceAreaInput(area))).toEqual({ base: 'Cambridge', serviceRadiusKm: 30, serviceDistricts: [] });
  expect(fields.parse(toServiceAreaInput({ ...area, reach: 'districts', serviceDistricts: ['Waipā', 'Hamilton'] }))).toEqual({
    base: 'Cambridge',
    serviceRadiusKm: null,
    serviceDistricts: ['Waipā', 'Hamilton'],
  });
  expect(fields.parse(toServiceAreaInput(noServiceArea))).toEqual({ base: '', serviceRadiusKm: null, serviceDistricts: [] });
  expect(fields.parse({})).toEqual({});
});

test.each([
  ['0', false],
  ['1', true],
  ['200', true],
  ['201', false],
  ['12.5', false],
  ['far', false],
])('accepts a distance of %s km: %s', (serviceRadiusKm, isTaken) => {
  expect(fields.safeParse({ serviceRadiusKm }).success).toBe(isTaken);
});

test('accepts up to twenty distinct districts', () => {
  const names = Array.from({ length: 20 }, (_, index) => `District ${index}`);
  expect(fields.parse({ serviceDistricts: [...names, 'District 0', ''] }).serviceDistricts).toEqual(names);
  expect(fields.safeParse({ serviceDistricts: [...names, 'Another'] }).success).toBe(false);
});

test('requires a base for a distance and none for districts', () => {
  expect(hasBaseForDistance({ base: ' ', reach: '30' })).toBe(false);
  expect(hasBaseForDistance({ base: 'Cambridge', reach: '30' })).toBe(true);
  for (const reach of ['', 'districts']) expect(hasBaseForDistance({ base: '', reach })).toBe(true);
});
