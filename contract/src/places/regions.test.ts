import { expect, test } from 'vitest';
import { regions, getRegionTimeZone } from './regions.ts';

test('gives each state of Australia its time zone, and New Zealand one', () => {
  expect(Object.fromEntries(regions.map((one) => [one.abbreviation ?? one.country, one.timeZone]))).toEqual({
    NZ: 'Pacific/Auckland',
    NSW: 'Australia/Sydney',
    VIC: 'Australia/Melbourne',
    QLD: 'Australia/Brisbane',
    SA: 'Australia/Adelaide',
    WA: 'Australia/Perth',
    TAS: 'Australia/Hobart',
    NT: 'Australia/Darwin',
    ACT: 'Australia/Sydney',
  });
  expect(regions.every((one) => getRegionTimeZone(one.code, one.country) === one.timeZone)).toBe(true);
});
