import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Signer, formatHead, computeKeyId, formatNote, parseHead, signHead, verifyHead } from './checkpoint.ts';

const pair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(bytes), sign: (message) => sign(null, message, privateKey) } satisfies Signer;
};
const signer = pair();
const key = Buffer.from(signer.publicKey).toString('hex');
const head = { origin: 'example.com/draws/2026-11', size: 1234, root: new Uint8Array(createHash('sha256').update('root').digest()) };
const note = signHead(head, signer);

test('signs a head as a C2SP checkpoint in a C2SP note', () => {
  const root = createHash('sha256').update('root').digest('base64');
  const text = `example.com/draws/2026-11\n1234\n${root}\n`;
  expect(formatHead(head)).toBe(text);
  const [signed = '', line = ''] = note.split('\n\n');
  expect(`${signed}\n`).toBe(text);
  const [dash, name, blob = ''] = line.trimEnd().split(' ');
  expect([dash, name, note.at(-1)]).toEqual(['—', head.origin, '\n']);
  const bytes = Buffer.from(blob, 'base64');
  const id = createHash('sha256').update(`${head.origin}\n`).update(Buffer.of(1)).update(signer.publicKey).digest().subarray(0, 4);
  expect(bytes.subarray(0, 4)).toEqual(id);
  expect(Buffer.from(computeKeyId(head.origin, signer.publicKey))).toEqual(id);
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), signer.publicKey]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  expect(verify(null, Buffer.from(text), publicKey, bytes.subarray(4))).toBe(true);
});

test('parses a signed head and verifies it with its key only', () => {
  const read = parseHead(note);
  expect(read).toMatchObject(head);
  if (!read) throw new Error('no head');
  expect(formatNote(read)).toBe(note);
  expect(verifyHead(read, key)).toBe(true);
  expect(verifyHead(read, Buffer.from(pair().publicKey).toString('hex'))).toBe(false);
  for (const wrong of ['', key.slice(2), `${key}00`, key.toUpperCase()]) expect(verifyHead(read, wrong)).toBe(false);
  expect(verifyHead({ ...read, keyId: new Uint8Array(4) }, key)).toBe(false);
  expect(verifyHead({ ...read, signature: new Uint8Array(64) }, key)).toBe(false);
});

test('rejects a head with any altered byte', () => {
  const bytes = Buffer.from(note);
  for (let at = 0; at < bytes.length; at += 1) {
    for (const bit of [1, 32]) {
      const altered = Buffer.from(bytes);
      altered[at] = (altered[at] ?? 0) ^ bit;
      const read = parseHead(altered.toString());
      expect(read === null || !verifyHead(read, key), `byte ${at}`).toBe(true);
    }
  }
});

test('accepts canonical base64 only', () => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const next = (digit: string) => digits[digits.indexOf(digit) + 1] ?? '';
  for (const last of [/(.)(?==\n\n)/, /(.)(?==\n$)/]) {
    const other = note.replace(last, next);
    expect([...other].filter((character, at) => character !== [...note][at])).toHaveLength(1);
    expect(parseHead(other)).toBeNull();
  }
});

test('rejects text that resembles a head', () => {
  for (const text of [
    '',
    note.trimEnd(),
    ` ${note}`,
    `${note}\n`,
    note.replace('1234', '01234'),
    note.replace('1234', '-1'),
    note.replace('1234', '9007199254740993'),
    note.replace('— example.com', '— example.net'),
    note.replaceAll('\n', '\r\n'),
    note.replace('\n\n', '\n'),
  ]) {
    expect(parseHead(text), `“${text}”`).toBeNull();
  }
});
