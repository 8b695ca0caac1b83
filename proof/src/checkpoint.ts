import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64, fromHex, areBytesEqual, toBase64 } from './bytes.ts';

// Heads of the ticket log: C2SP checkpoints (tlog-checkpoint) as signed notes with one Ed25519 key.

export type TreeHead = { origin: string; size: number; root: Uint8Array };
export type SignedHead = TreeHead & { signature: Uint8Array; keyId: Uint8Array };

const utf8 = new TextEncoder();

/** The signed text: three lines with their line ends. */
export const formatHead = ({ origin, size, root }: TreeHead) => `${origin}\n${size}\n${toBase64(root)}\n`;

/** The first four bytes of SHA-256 over origin, line feed, key type (1: Ed25519) and key. */
export function computeKeyId(origin: string, publicKey: Uint8Array): Uint8Array {
  return sha256(new Uint8Array([...utf8.encode(origin), 0x0a, 0x01, ...publicKey])).slice(0, 4);
}

export type Signer = { publicKey: Uint8Array; sign: (message: Uint8Array) => Uint8Array };

/** The published head: its three lines, an empty one and the signature. */
export function signHead(head: TreeHead, { publicKey, sign }: Signer): string {
  const text = formatHead(head);
  return formatNote({ ...head, keyId: computeKeyId(head.origin, publicKey), signature: sign(utf8.encode(text)) });
}

/** The canonical text of a signed head. */
export function formatNote({ keyId, signature, ...head }: SignedHead): string {
  return `${formatHead(head)}\n— ${head.origin} ${toBase64(new Uint8Array([...keyId, ...signature]))}\n`;
}

/** Parses canonical text only, else null. Does not verify the signature. */
export function parseHead(note: string): SignedHead | null {
  const [, origin = '', size = '', root = '', name, signed = ''] =
    /^([^\s+]+)\n(0|[1-9]\d*)\n(\S+)\n\n— ([^\s+]+) (\S+)\n$/.exec(note) ?? [];
  return name === origin ? decodeHead(origin, size, root, signed) : null;
}

function decodeHead(origin: string, size: string, root: string, signed: string): SignedHead | null {
  const [hash, bytes] = [fromBase64(root, 32), fromBase64(signed, 68)];
  if (!hash || !bytes || !Number.isSafeInteger(Number(size))) return null;
  return { origin, size: Number(size), root: hash, keyId: bytes.slice(0, 4), signature: bytes.slice(4) };
}

/** `publicKey`: 32 bytes in hexadecimal. */
export function verifyHead(head: SignedHead, publicKey: string): boolean {
  const key = fromHex(publicKey, 32);
  if (!key || !areBytesEqual(head.keyId, computeKeyId(head.origin, key))) return false;
  return ed25519.verify(head.signature, utf8.encode(formatHead(head)), key, { zip215: false });
}
