import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Keyring, openAccountKeyring, openKeyring } from './keyring.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'handwise-keyring-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const notAuthentic = /unable to authenticate data/;
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

test('the first key seals, the others still open; without its key a text stays shut', () => {
  const before = new Keyring({ old: key(1) });
  const both = new Keyring({ newer: key(2), old: key(1) });
  const sealed = before.seal('38-9000', 'claim 1');
  expect(both.open(sealed, 'claim 1')).toBe('38-9000');
  const anew = both.seal('38-9000', 'claim 1');
  expect([sealed.keyId, anew.keyId]).toEqual(['old', 'newer']);
  expect(() => before.open(anew, 'claim 1')).toThrow('PRIZE_KEYS has no key newer');
  expect(() => new Keyring({ old: key(3) }).open(sealed, 'claim 1')).toThrow(notAuthentic);
  expect(() => new Keyring({})).toThrow('at least one key');
});

test('the same text is sealed differently each time, and nothing of it can be read, changed or given to another row', () => {
  const keyring = new Keyring({ one: key(1) });
  const [first, second] = [keyring.seal('38-9000-0123458-00', 'claim 1'), keyring.seal('38-9000-0123458-00', 'claim 1')];
  expect(first.sealed.equals(second.sealed)).toBe(false);
  expect(first.sealed.toString('latin1')).not.toContain('38-9000');
  expect(() => keyring.open(first, 'claim 2')).toThrow(notAuthentic);
  for (let at = 0; at < first.sealed.length; at += 1) {
    const changed = Buffer.from(first.sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => keyring.open({ ...first, sealed: changed }, 'claim 1')).toThrow(notAuthentic);
  }
  expect(() => keyring.open({ ...first, sealed: first.sealed.subarray(0, -1) }, 'claim 1')).toThrow(notAuthentic);
});

test('a sandbox makes a key once and keeps it where its own user alone may read it', () => {
  const sealed = openKeyring({ prizeKeys: null, dataDir }).seal('text', 'row');
  expect(openKeyring({ prizeKeys: null, dataDir }).open(sealed, 'row')).toBe('text');
  const file = join(dataDir, 'prize-keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[0] ?? '', 'base64')).toHaveLength(32);
  expect(() => openKeyring({ prizeKeys: { given: key(1) }, dataDir }).open(sealed, 'row')).toThrow('PRIZE_KEYS has no key sandbox');
});

test('keys of accounts are others than those of prizes', () => {
  const sealed = openAccountKeyring({ accountKeys: null, dataDir }).seal('text', 'row');
  expect(openAccountKeyring({ accountKeys: null, dataDir }).open(sealed, 'row')).toBe('text');
  expect(() => openKeyring({ prizeKeys: null, dataDir }).open(sealed, 'row')).toThrow(notAuthentic);
  expect(statSync(join(dataDir, 'account-keys.json')).mode & 0o777).toBe(0o600);
  expect(() => openAccountKeyring({ accountKeys: { given: key(1) }, dataDir }).open(sealed, 'row')).toThrow(
    'ACCOUNT_KEYS has no key sandbox',
  );
});

test.each(['', '{"sandbox":"AAAA', '{"sandbox":"AAAA"}', 'null'])(
  'a key file that was damaged is refused by name and left as it is (%j)',
  (text) => {
    for (const [name, open] of [
      ['prize-keys.json', () => openKeyring({ prizeKeys: null, dataDir })],
      ['account-keys.json', () => openAccountKeyring({ accountKeys: null, dataDir })],
    ] as const) {
      const file = join(dataDir, name);
      writeFileSync(file, text);
      expect(open).toThrow(`${file} is damaged or cannot be read. Put it back as it was.`);
      expect(readFileSync(file, 'utf8')).toBe(text);
      rmSync(file);
    }
  },
);
