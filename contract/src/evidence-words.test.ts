import { expect, test } from 'vitest';
import { checkText, type Hours, hoursText, priceText } from './evidence-words.ts';

const none = { from: null, unit: null, callOut: null, currency: 'NZD' } as const;

test.each([
  [{ ...none, from: 9500, unit: 'hour' }, 'From $95 per hour'],
  [{ ...none, from: 9550, unit: 'square_metre', callOut: 6000 }, 'From $95.50 per m², call-out $60'],
  [{ ...none, from: 123_400, unit: 'job', callOut: 0 }, 'From $1,234 per job, no call-out fee'],
  [{ ...none, callOut: 6050 }, 'Call-out $60.50'],
  [{ ...none, callOut: 0 }, 'No call-out fee'],
] as const)('%j reads “%s”', (guide, text) => expect(priceText(guide)).toBe(text));

const lines = (hours: Hours) => hoursText(hours).map(({ days, times }) => `${days}, ${times}`);
const long: [string, string] = ['07:30', '17:00'];

test('days in a row with the same hours are one line, closed ones break it', () => {
  expect(lines({ mon: long, tue: long, wed: long, thu: long, fri: long, sat: ['09:00', '12:30'] })).toEqual([
    'Mon to Fri, 7:30 am to 5 pm',
    'Sat, 9 am to 12:30 pm',
  ]);
  expect(lines({ sun: long, mon: long, wed: long })).toEqual(['Mon, 7:30 am to 5 pm', 'Wed, 7:30 am to 5 pm', 'Sun, 7:30 am to 5 pm']);
  expect(lines({ mon: ['00:00', '24:00'], tue: ['12:00', '24:00'], wed: ['00:00', '00:05'] })).toEqual([
    'Mon, all day',
    'Tue, 12 pm to midnight',
    'Wed, midnight to 12:05 am',
  ]);
  expect(lines({})).toEqual([]);
});

test('a seller reads what became of their number', () => {
  const said = (state: Parameters<typeof checkText>[0]['state'], registerName: string | null = null) =>
    checkText({ register: 'nzbn', state, registerName });
  expect(said('claimed')).toMatch(/^We are asking/);
  expect(said('valid')).toMatch(/your listing shows no badge/);
  expect(said('verified', 'KINGI LIMITED')).toMatch(/^Verified: .*“KINGI LIMITED”/);
  expect(said('gone', 'KINGI LIMITED')).toMatch(/^Not verified: .*not in operation any more/);
  expect(said('refused')).toMatch(/^Not verified: .*no business with this NZBN/);
  expect(said('refused', 'RUA LIMITED')).toMatch(/^Not verified: .*“RUA LIMITED”, which is another name/);
});
