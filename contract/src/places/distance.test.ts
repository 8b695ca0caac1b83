import { expect, test } from 'vitest';
import { kmBetween } from './distance.ts';

const auckland = { latitude: -36.8485, longitude: 174.7633 };
const wellington = { latitude: -41.2889, longitude: 174.7772 };
const sydney = { latitude: -33.8688, longitude: 151.2093 };
const chathams = { latitude: -43.953, longitude: -176.56 };
const christchurch = { latitude: -43.5321, longitude: 172.6362 };

test.each([
  ['Auckland and Wellington', auckland, wellington, 494],
  ['Auckland and Sydney', auckland, sydney, 2156],
  ['Christchurch and the Chatham Islands, beyond 180°', christchurch, chathams, 866],
  ['a place and itself', auckland, auckland, 0],
])('%s are as far apart as maps say', (_, one, other, km) => {
  expect(Math.abs(kmBetween(one, other) - km)).toBeLessThan(4);
  expect(kmBetween(other, one)).toBeCloseTo(kmBetween(one, other), 9);
});

test('returns half the circumference for opposite points', () => {
  expect(kmBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 })).toBeCloseTo(Math.PI * 6371, 6);
});
