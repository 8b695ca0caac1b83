import { expect, test } from 'vitest';
import { atMost, emailAddress, line, lines, machineLine, referralCodeText, requiredLine, requiredLines, secret } from './text-fields.ts';

const problemOf = (schema: ReturnType<typeof line>, text: string) => schema.safeParse(text).error?.issues.map((issue) => issue.message);
const name = requiredLine('Name is required', 20, 'Too long');
const about = requiredLines('Text is required', 40, 'Too long');

test('trims and normalises a text, so that a word is the same from any keyboard', () => {
  expect(name.parse('  Ma\u0304ui \u00a0')).toBe('M\u0101ui');
  expect(about.parse('\n Ma\u0304ui \n')).toBe('M\u0101ui');
  expect(secret('').parse(' Ma\u0304ui ')).toBe(' M\u0101ui ');
});

test('several lines keep their breaks and tabs, every break as the same character', () => {
  expect(about.parse('one\r\ntwo\rthree\u2028four\n\nfive\tsix')).toBe('one\ntwo\nthree\nfour\n\nfive\tsix');
});

test.each(['\0', '\n', '\r\n', '\r', '\t', '\v', '\f', '\u001b', '\u007f', '\u0085', '\u009f', '\u2028', '\u2029'])(
  '%j is refused in one line',
  (char) => {
    expect(problemOf(name, `Mere${char}Kingi`)).toEqual(['Use one line of text without control characters']);
  },
);

test.each(['\0', '\v', '\f', '\u001b', '\u007f', '\u0085', '\u009f'])('%j is refused in several lines', (char) => {
  expect(problemOf(about, `Mere${char}Kingi`)).toEqual(['Use text without control characters']);
});

test.each([...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'])('the direction character %j is refused everywhere', (char) => {
  const message = 'Use text without characters that change the direction of writing';
  for (const schema of [name, about, secret('')]) expect(problemOf(schema, `Mere ${char}ignK`)).toEqual([message]);
});

test.each(['\ud800', '\udfff', 'x\ud83dx'])('the half of a character %j is refused everywhere', (text) => {
  for (const schema of [name, about, secret('')])
    expect(problemOf(schema, `Mere ${text}`)).toEqual(['This text contains a broken character']);
});

test.each([
  '\u200b',
  '\u200d\u200c',
  '\u2060',
  '\ufeff\u200b',
  '\u00ad',
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u2800',
  '\u0301',
  '\ufe0f',
  '\u{e0020}',
  '\u200b \u200b',
])('rejects a text of nothing but %j everywhere', (text) => {
  for (const schema of [name, about, secret(''), line(), lines('')])
    expect(problemOf(schema, text)).toEqual(['Use characters that can be seen']);
});

test('accepts emoji with joiners, flags, scripts that need joiners, and right-to-left names', () => {
  for (const text of [
    '👩🏽\u200d🔧 Mere',
    '👨\u200d👩\u200d👧',
    '🏳️\u200d🌈',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '🇳🇿',
    'می\u200cخواهم',
    'שלום \u200fעולם',
    '—',
    'ö',
    '7',
  ]) {
    expect(name.parse(text)).toBe(text.normalize('NFC'));
    expect(about.parse(text)).toBe(text.normalize('NFC'));
  }
});

test('rejects an empty required text, and reads an empty optional one as missing', () => {
  for (const text of ['', ' ', '\n\t']) {
    expect(problemOf(name, text)).toEqual(['Name is required']);
    expect(problemOf(about, text)).toEqual(['Text is required']);
    expect(line().parse(text)).toBe('');
  }
  expect(name.safeParse(undefined).error?.issues[0]?.message).toBe('Name is required');
});

test('counts the length of what is stored', () => {
  expect(name.parse(` ${'x'.repeat(20)} `)).toHaveLength(20);
  expect(problemOf(name, 'x'.repeat(21))).toEqual(['Too long']);
  expect(name.parse('e\u0301'.repeat(20))).toHaveLength(20);
  expect(problemOf(about, 'x'.repeat(41))).toEqual(['Too long']);
});

test('names the limit of its field in the message', () => {
  const short = line().max(...atMost(3));
  expect(short.parse('abc')).toBe('abc');
  expect(problemOf(short, 'abcd')).toEqual(['Use at most 3 characters']);
  expect(problemOf(requiredLine('Missing', 3), 'abcd')).toEqual(['Use at most 3 characters']);
  expect(problemOf(requiredLines('Missing', 3), 'abcd')).toEqual(['Use at most 3 characters']);
  expect(problemOf(line().max(...atMost(3, 'characters for a service')), 'abcd')).toEqual(['Use at most 3 characters for a service']);
});

test('cleans a value for machines before it checks it, and still refuses other control characters', () => {
  const code = machineLine('Code is required').min(1, 'Code is required').max(8);
  expect(code.parse('\u202a REF\u20131\t2\u200b \u202c')).toBe('REF-1 2');
  expect(problemOf(code, '\u200b\u2060')).toEqual(['Code is required']);
  for (const char of ['\0', '\u001b', '\u007f', '\ud800']) expect(code.safeParse(`a${char}b`).success).toBe(false);
  expect(referralCodeText().parse('REF\u2013DEM\u20131002.')).toBe('REF-DEM-1002');
});

test.each([
  'mere@exam\u200bple.org',
  '\u2068mere@example.org\u2069',
  'mere@example.org\u00a0\t',
  'mere\uff20example.org',
  'mailto:mere@example.org',
])('reads the email address %j as without what nobody typed', (typed) => {
  expect(emailAddress('Missing', 'Invalid').parse(typed)).toBe('mere@example.org');
});

test.each(['mere@ example.org', 'mere example.org', 'mere@example', 'a@example.org, b@example.org'])(
  'refuses the email address %j',
  (typed) => {
    expect(emailAddress('Missing', 'Invalid').safeParse(typed).error?.issues[0]?.message).toBe('Invalid');
  },
);
