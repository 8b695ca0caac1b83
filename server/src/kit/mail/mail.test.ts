import { expect, test } from 'vitest';
import { formatGreeting, headerText } from './mail.ts';

test('limits a header by graphemes and cuts a longer one', () => {
  expect(headerText('Friendly local plumber', 60)).toBe('Friendly local plumber');
  expect(headerText('x'.repeat(60), 60)).toBe('x'.repeat(60));
  expect(headerText('x'.repeat(61), 60)).toBe(`${'x'.repeat(59)}…`);
  expect(headerText('👩🏽\u200d🔧'.repeat(61), 60)).toBe(`${'👩🏽\u200d🔧'.repeat(59)}…`);
});

test.each(['\0', '\r\n', '\n', '\t', '\u0085', '\u2028', '\u2029', '\u202e', '\u2066', '\u00a0', ' \r\n '])(
  '%j in a header becomes a space',
  (char) => {
    expect(headerText(`Hello${char}Bcc: evil`, 60)).toBe('Hello Bcc: evil');
    expect(headerText(`${char}Hello${char}`, 60)).toBe('Hello');
  },
);

test.each([
  ['evil.com Plumbing', 'evil. com Plumbing'],
  ['Win at WWW.3com.co.nz/now', 'Win at WWW. 3com. co. nz/now'],
  ['https://203.0.113.7/x', 'https: //203.0.113.7/x'],
  ['mere@example.net', 'mere@example. net'],
  ['bücher.de, straße.de, évil.fr', 'bücher. de, straße. de, évil. fr'],
  ['evil\u3002com', 'evil\u3002 com'],
  ['a.b.com', 'a.b. com'],
])('keeps a mail program from making a link of %j', (text, shown) => {
  expect(headerText(text, 60)).toBe(shown);
});

test.each(['J.R. Ortiz', 'Smith & Co. Plumbing', 'Decks of 3.5 m, from $1,250.00', 'A–Z Roofing: 24/7', '12 pm. Now'])(
  'leaves %j as it is in a header',
  (text) => {
    expect(headerText(text, 60)).toBe(text);
  },
);

test('replaces lone surrogates in a header', () => {
  expect(headerText('a\ud800b', 60)).toBe('a\ufffdb');
});

test.each([
  ['Mere', 'Mere'],
  ['Hemi Walker', 'Hemi'],
  ['Tāmati-John O’Brien', 'Tāmati-John'],
  ["Siobhán O'Neill", 'Siobhán'],
  ['José R. Ortiz', 'José'],
  ['王小明', '王小明'],
  ['शिव', 'शिव'],
  ['M', 'M'],
  // No first names.
  ['Dr. Mere Kingi', 'Dr. Mere Kingi'],
  ['J. Smith', 'J. Smith'],
])('%s is greeted as %s', (name, greeted) => {
  expect(formatGreeting(name)).toBe(`Kia ora ${greeted}`);
});

test.each([
  'evil.example',
  'Visit www.evil.example now',
  'https://evil.example',
  'Mere (evil@example.net)',
  'Call 0800 123 456',
  'You won! Click',
  'Mere\nKingi',
  'Mere: your account is locked',
  'Congratulations you have been chosen today',
  '',
])('leaves a name such as %j out of the greeting', (name) => {
  expect(formatGreeting(name)).toBe('Kia ora');
});
