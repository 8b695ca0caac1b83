import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHead, signHead, verifyHead } from '@handwise/proof/checkpoint';
import { emptyRoot } from '@handwise/proof/tree';
import { afterAll, expect, test } from 'vitest';
import { logKeyOf, openLogKey } from './log-key.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-key-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('the key of the ticket log is the one of RFC 8032 for the same secret', () => {
  const secret = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const { publicKey, sign } = logKeyOf(secret);
  expect(Buffer.from(publicKey).toString('hex')).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a');
  expect(Buffer.from(sign(new Uint8Array())).toString('hex')).toBe(
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  );
});

test('the first start of a sandbox makes a key that only its owner reads, and every later start has the same', () => {
  const dataDir = join(dir, 'first');
  const one = openLogKey({ logKey: null, dataDir });
  expect(statSync(join(dataDir, 'log-key')).mode & 0o777).toBe(0o600);
  const other = openLogKey({ logKey: null, dataDir });
  expect(other.publicKey).toEqual(one.publicKey);
  expect(openLogKey({ logKey: null, dataDir: join(dir, 'second') }).publicKey).not.toEqual(one.publicKey);
  const note = signHead({ origin: 'example.com/draws/2026-11', size: 0, root: emptyRoot }, other);
  const head = parseHead(note);
  expect(head && verifyHead(head, Buffer.from(one.publicKey).toString('hex'))).toBe(true);
});

test('a key of the environment is taken as it is, and nothing is written', () => {
  const dataDir = join(dir, 'third');
  const secret = Buffer.alloc(32, 7);
  expect(openLogKey({ logKey: secret.toString('base64'), dataDir }).publicKey).toEqual(logKeyOf(secret).publicKey);
  expect(() => readFileSync(join(dataDir, 'log-key'))).toThrow('ENOENT');
});

test.each([
  ['emptied', (file: string) => writeFileSync(file, '')],
  ['cut off', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 20))],
  ['unreadable', (file: string) => (rmSync(file), mkdirSync(file))],
])('a key file that was %s is refused by name and left as it is, and its key is back when it is', (_, damage) => {
  const dataDir = mkdtempSync(join(dir, 'damaged-'));
  const file = join(dataDir, 'log-key');
  const { publicKey } = openLogKey({ logKey: null, dataDir });
  const whole = readFileSync(file, 'utf8');
  damage(file);
  expect(() => openLogKey({ logKey: null, dataDir })).toThrow(`${file} is damaged or cannot be read. Put it back as it was.`);
  rmSync(file, { recursive: true });
  writeFileSync(file, whole);
  expect(openLogKey({ logKey: null, dataDir }).publicKey).toEqual(publicKey);
});
