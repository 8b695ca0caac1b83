import { expect, test } from 'vitest';
import { countryOfTimeZone, nearOf, positionProblems, problemOfCode } from './near-me.tsx';

test.each([
  ['Hamilton', -37.78712, 175.27931, '-37.79,175.28'],
  ['the Chatham Islands, beyond 180°', -43.953, -176.56, '-43.95,-176.56'],
  ['Perth', -31.95224, 115.8614, '-31.95,115.86'],
  ['Stewart Island', -46.9, 168.13, '-46.90,168.13'],
])('a position in %s is rounded to about a kilometre before anybody hears of it', (_, latitude, longitude, near) => {
  expect(nearOf({ latitude, longitude })).toBe(near);
});

test.each([
  ['London', 51.5, -0.12],
  ['Nouméa', -22.27, 166.44],
  ['Jakarta', -6.2, 106.8],
  ['Fiji', -18.14, 178.44],
])('somebody in %s is in neither country', (_, latitude, longitude) => {
  expect(nearOf({ latitude, longitude })).toBeNull();
});

test('each way in which a browser says nothing has words of its own', () => {
  expect([1, 2, 3].map(problemOfCode)).toEqual(['denied', 'unavailable', 'tooSlow']);
  expect(new Set(Object.values(positionProblems)).size).toBe(4);
});

test('a clock tells the country, where there is no position', () => {
  expect(['Pacific/Auckland', 'Pacific/Chatham', 'Australia/Perth', 'Europe/London'].map(countryOfTimeZone)).toEqual([
    'NZ',
    'NZ',
    'AU',
    null,
  ]);
});
