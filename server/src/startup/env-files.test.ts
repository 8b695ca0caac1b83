import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readEnv, settingNames } from '../env.ts';

const folder = mkdtempSync(join(tmpdir(), 'handwise-secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

test.each([
  ['as it is', 'long-enough-for-a-token'],
  ['with the line break of an editor', 'long-enough-for-a-token\n'],
  ['with the line break of Windows', 'long-enough-for-a-token\r\n'],
  ['with a byte order mark', '\uFEFFlong-enough-for-a-token\n'],
])('reads a secret from a file %s', (_how, text) => {
  expect(readEnv({ METRICS_TOKEN_FILE: write('token', text) }).metricsToken).toBe('long-enough-for-a-token');
});

test('keeps other white space, which may belong to a secret', () => {
  expect(readEnv({ METRICS_TOKEN_FILE: write('spaces', ' long enough for a token \n') }).metricsToken).toBe(' long enough for a token ');
});

test('reads keys, which may have several lines, and checks them like a variable', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)).toString('base64');
  expect(readEnv({ PRIZE_KEYS_FILE: write('keys', `{\n  "a": "${key}"\n}\n`) }).prizeKeys).toEqual({ a: key });
  expect(() => readEnv({ PRIZE_KEYS_FILE: write('keys', '{"a":"short"}') })).toThrow(/^PRIZE_KEYS/);
});

test.each(settingNames)('takes %s from a file', (name) => {
  expect(() => readEnv({ [`${name}_FILE`]: join(folder, 'missing') })).toThrow(`${name}_FILE is ${folder}/missing, which does not exist.`);
});

test('an empty name of a file counts as not set', () => {
  expect(readEnv({ METRICS_TOKEN_FILE: '' }).metricsToken).toBeNull();
});

test('says what is wrong with each file, and never what it holds', () => {
  const dir = join(folder, 'mount');
  mkdirSync(dir);
  const secret = write('secret', 'this-is-a-secret-of-mine');
  const twoLines = write('two-lines', 'first-secret-line\nsecond-secret-line\n');
  const environment = {
    METRICS_TOKEN: 'long-enough-for-a-token',
    METRICS_TOKEN_FILE: secret,
    SMTP_URL_FILE: dir,
    LOG_KEY_FILE: write('empty', '\n'),
    STRIPE_SECRET_KEY_FILE: twoLines,
  };
  let message = '';
  try {
    readEnv(environment);
  } catch (error) {
    ({ message } = error as Error);
  }
  for (const line of [
    'METRICS_TOKEN and METRICS_TOKEN_FILE are both set: keep one.',
    `SMTP_URL_FILE is ${dir}, which is a folder`,
    `LOG_KEY_FILE is ${folder}/empty, which is empty.`,
    `STRIPE_SECRET_KEY_FILE is ${twoLines}, which has several lines`,
  ])
    expect(message).toContain(line);
  expect(message).not.toMatch(/secret-of-mine|secret-line/);
});

test.skipIf(process.getuid?.() === 0)('says that a file may not be read', () => {
  const path = write('private', 'x');
  chmodSync(path, 0);
  expect(() => readEnv({ METRICS_TOKEN_FILE: path })).toThrow('which may not be read');
});
