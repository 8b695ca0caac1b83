import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64, fromHex, sameBytes, toBase64 } from './bytes.ts';

// Heads of the ticket log: checkpoints of C2SP (tlog-checkpoint), signed as its signed notes with one Ed25519 key.

export type TreeHead = { origin: string; size: number; root: Uint8Array };
export type SignedHead = TreeHead & { signature: Uint8Array; keyId: Uint8Array };

const utf8 = new TextEncoder();

/** What is signed: three lines, each with its end. */
export const headText = ({ origin, size, root }: TreeHead) => `${origin}\n${size}\n${toBase64(root)}\n`;

/** The first four bytes of SHA-256 over the origin, a line end, the kind of the key (1: Ed25519) and the key. */
export function keyIdOf(origin: string, publicKey: Uint8Array): Uint8Array {
  return sha256(new Uint8Array([...utf8.encode(origin), 0x0a, 0x01, ...publicKey])).slice(0, 4);
}

export type Signer = { publicKey: Uint8Array; sign: (message: Uint8Array) => Uint8Array };

/** The head as everybody gets it: its three lines, an empty one, and the signature. */
export function signHead(head: TreeHead, { publicKey, sign }: Signer): string {
  const text = headText(head);
  return noteOf({ ...head, keyId: keyIdOf(head.origin, publicKey), signature: sign(utf8.encode(text)) });
}

/** A signed head in the one spelling that it has. */
export function noteOf({ keyId, signature, ...head }: SignedHead): string {
  return `${headText(head)}\n— ${head.origin} ${toBase64(new Uint8Array([...keyId, ...signature]))}\n`;
}

/** A signed head of exactly these characters; null where it is none. Says nothing about the signature. */
export function parseHead(note: string): SignedHead | null {
  const [, origin = '', size = '', root = '', name, signed = ''] =
    /^([^\s+]+)\n(0|[1-9]\d*)\n(\S+)\n\n— ([^\s+]+) (\S+)\n$/.exec(note) ?? [];
  return name === origin ? headOf(origin, size, root, signed) : null;
}

function headOf(origin: string, size: string, root: string, signed: string): SignedHead | null {
  const [hash, bytes] = [fromBase64(root, 32), fromBase64(signed, 68)];
  if (!hash || !bytes || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root: hash, keyId: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/** Whether the head was signed with the key (32 bytes in hexadecimal). */
export function verifyHead(head: SignedHead, publicKey: string): boolean {
  const key = fromHex(publicKey, 32);
  if (!key || !sameBytes(head.keyId, keyIdOf(head.origin, key))) return false;
  return ed25519.verify(head.signature, utf8.encode(headText(head)), key, { zip215: false });
}
