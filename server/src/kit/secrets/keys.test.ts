import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseHead, signHead, verifyHead } from '@handwise/proof/checkpoint';
import { emptyRoot } from '@handwise/proof/tree';
import { Keyring, findKeyring, openAccountKeyring, openKeyring, createLogSigner, openLogSigner } from './keys.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'handwise-keyring-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const notAuthentic = /unable to authenticate data/;
const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');

test('encrypts with the first key and decrypts with every key, but not without the right one', () => {
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

test('encrypts a text differently each time; the result can’t be read, changed or moved to another row', () => {
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

test('a sandbox creates its key once, in a file that only its user may read', () => {
  const sealed = openKeyring({ prizeKeys: null, dataDir }).seal('text', 'row');
  expect(openKeyring({ prizeKeys: null, dataDir }).open(sealed, 'row')).toBe('text');
  const file = join(dataDir, 'prize-keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>)[0] ?? '', 'base64')).toHaveLength(32);
  expect(() => openKeyring({ prizeKeys: { given: key(1) }, dataDir }).open(sealed, 'row')).toThrow('PRIZE_KEYS has no key sandbox');
});

test('accounts and prizes have different keys', () => {
  const sealed = openAccountKeyring({ accountKeys: null, dataDir }).seal('text', 'row');
  expect(openAccountKeyring({ accountKeys: null, dataDir }).open(sealed, 'row')).toBe('text');
  expect(() => openKeyring({ prizeKeys: null, dataDir }).open(sealed, 'row')).toThrow(notAuthentic);
  expect(statSync(join(dataDir, 'account-keys.json')).mode & 0o777).toBe(0o600);
  expect(() => openAccountKeyring({ accountKeys: { given: key(1) }, dataDir }).open(sealed, 'row')).toThrow(
    'ACCOUNT_KEYS has no key sandbox',
  );
});

test.each(['', '{"sandbox":"AAAA', '{"sandbox":"AAAA"}', 'null'])(
  'rejects a damaged key file by name and does not change it (%j)',
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

test('a command that reads opens the keys that are there and creates none', () => {
  const unused = mkdtempSync(join(tmpdir(), 'handwise-no-keys-'));
  expect(findKeyring({ prizeKeys: null, dataDir: unused })).toBeNull();
  expect(existsSync(join(unused, 'prize-keys.json'))).toBe(false);
  expect(findKeyring({ prizeKeys: { given: key(1) }, dataDir: unused })?.keyId).toBe('given');
  const sealed = openKeyring({ prizeKeys: null, dataDir: unused }).seal('text', 'row');
  expect(findKeyring({ prizeKeys: null, dataDir: unused })?.open(sealed, 'row')).toBe('text');
  rmSync(unused, { recursive: true });
});

const dir = mkdtempSync(join(tmpdir(), 'handwise-key-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the ticket log’s key matches the test vector of RFC 8032', () => {
  const secret = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const { publicKey, sign } = createLogSigner(secret);
  expect(Buffer.from(publicKey).toString('hex')).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  expect(Buffer.from(sign(new Uint8Array())).toString('hex')).toBe(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  );
});

test('the first start of a sandbox creates a key that only its owner can read; later starts use it', () => {
  const dataDir = join(dir, 'first');
  const one = openLogSigner({ logKey: null, dataDir });
  expect(statSync(join(dataDir, 'log-key')).mode & 0o777).toBe(0o600);
  const other = openLogSigner({ logKey: null, dataDir });
  expect(other.publicKey).toEqual(one.publicKey);
  expect(openLogSigner({ logKey: null, dataDir: join(dir, 'second') }).publicKey).not.toEqual(one.publicKey);
  const note = signHead({ origin: 'example.com/draws/2026-11', size: 0, root: emptyRoot }, other);
  const head = parseHead(note);
  expect(head && verifyHead(head, Buffer.from(one.publicKey).toString('hex'))).toBe(true);
});

test('uses the environment’s key and writes no file', () => {
  const dataDir = join(dir, 'third');
  const secret = Buffer.alloc(32, 7);
  expect(openLogSigner({ logKey: secret.toString('base64'), dataDir }).publicKey).toEqual(createLogSigner(secret).publicKey);
  expect(() => readFileSync(join(dataDir, 'log-key'))).toThrow('ENOENT');
});

test.each([
  ['emptied', (file: string) => writeFileSync(file, '')],
  ['cut off', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))],
  ['unreadable', (file: string) => (rmSync(file), mkdirSync(file))],
])('rejects a key file that was %s by name, without changing it; restoring the file restores the key', (_, damage) => {
  const dataDir = mkdtempSync(join(dir, 'damaged-'));
  const file = join(dataDir, 'log-key');
  const { publicKey } = openLogSigner({ logKey: null, dataDir });
  const whole = readFileSync(file, 'utf8');
  damage(file);
  expect(() => openLogSigner({ logKey: null, dataDir })).toThrow(`${file} is damaged or cannot be read. Put it back as it was.`);
  rmSync(file, { recursive: true });
  writeFileSync(file, whole);
  expect(openLogSigner({ logKey: null, dataDir }).publicKey).toEqual(publicKey);
});
