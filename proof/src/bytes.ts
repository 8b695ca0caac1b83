import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

export const toHex = bytesToHex;

/** Lower-case hexadecimal of exactly `length` bytes, else null. */
export function fromHex(text: string, length: number): Uint8Array | null {
  return text.length === length * 2 && /^[\da-f]+$/.test(text) ? hexToBytes(text) : null;
}

export const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

/** Canonical base64 of exactly `length` bytes, else null. */
export function fromBase64(text: string, length: number): Uint8Array | null {
  if (!/^[A-Za-z\d+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  // Spare bits of the last digit would allow several encodings of one head.
  return bytes.length === length && toBase64(bytes) === text ? bytes : null;
}

export function areBytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, place) => byte === b[place]);
}
