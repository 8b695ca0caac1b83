import { expect, test } from 'vitest';
import { countryOfTimeZone, formatPosition, positionProblems, getPositionProblem } from './near-me.tsx';

test.each([
  ['Hamilton', -37.78712, 175.27931, '-37.79,175.28'],
  ['the Chatham Islands, beyond 180°', -43.953, -176.56, '-43.95,-176.56'],
  ['Perth', -31.95224, 115.8614, '-31.95,115.86'],
  ['Stewart Island', -46.9, 168.13, '-46.90,168.13'],
])('rounds a position in %s to about a kilometre before it is sent', (_, latitude, longitude, near) => {
  expect(formatPosition({ latitude, longitude })).toBe(near);
});

test.each([
  ['London', 51.5, -0.12],
  ['Nouméa', -22.27, 166.44],
  ['Jakarta', -6.2, 106.8],
  ['Fiji', -18.14, 178.44],
])('finds %s in neither country', (_, latitude, longitude) => {
  expect(formatPosition({ latitude, longitude })).toBeNull();
});

test('has a message for each geolocation error', () => {
  expect([1, 2, 3].map(getPositionProblem)).toEqual(['denied', 'unavailable', 'tooSlow']);
  expect(new Set(Object.values(positionProblems)).size).toBe(5);
});

test('derives the country from the time zone', () => {
  expect(['Pacific/Auckland', 'Pacific/Chatham', 'Australia/Perth', 'Europe/London'].map(countryOfTimeZone)).toEqual([
    'NZ',
    'NZ',
    'AU',
    null,
  ]);
});
