import { readFileSync } from 'node:fs';
import { assemble } from './assemble.ts';

// As far as it is used here: TypeScript knows it of browsers only.
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number; shared: true }) => { buffer: SharedArrayBuffer; grow(pages: number): number };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: unknown };
};

// Everything that kernels work on lies in one memory of WebAssembly, which grows and never shrinks. It is shared only because views of such a
// memory stay good when it grows.
const pageBytes = 65_536;
const mostPages = 32_768;
const memory = new WebAssembly.Memory({ initial: 1, maximum: mostPages, shared: true });

/** Bytes are given out in pieces of so many. */
const piece = 8_192;

type Piece = { start: number; bytes: number };
// Pieces that nobody has, in their order, none beside another.
const free: Piece[] = [];
let used = 0;

/** Room for so many bytes, all of them 0. */
function take(bytes: number): number {
  const wanted = Math.ceil(bytes / piece) * piece;
  const found = free.find((one) => one.bytes >= wanted);
  if (!found) return grow(wanted);
  const { start } = found;
  found.start += wanted;
  found.bytes -= wanted;
  if (found.bytes === 0) free.splice(free.indexOf(found), 1);
  new Uint8Array(memory.buffer, start, wanted).fill(0);
  return start;
}

function grow(wanted: number): number {
  const start = used;
  used += wanted;
  const missing = used - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes));
  return start;
}

/** Gives back what `newBits` or `newColumn` gave. */
export function giveBack({ byteOffset, byteLength }: Column): void {
  if (byteLength === 0) return;
  const one = { start: byteOffset, bytes: Math.ceil(byteLength / piece) * piece };
  const at = free.findIndex(({ start }) => start > one.start);
  const place = at === -1 ? free.length : at;
  const [before, after] = [free[place - 1], free[place]];
  if (after && one.start + one.bytes === after.start) {
    one.bytes += after.bytes;
    free.splice(place, 1);
  }
  if (before && before.start + before.bytes === one.start) before.bytes += one.bytes;
  else free.splice(place, 0, one);
}

/**
 * So many bytes are taken.
 */
export const takenBytes = (): number => used - free.reduce((sum, { bytes }) => sum + bytes, 0);

export type Column = Uint8Array | Uint16Array | Uint32Array;
/** A column of zeros in the room. */
export function bytesColumn(length: number): Uint8Array {
  const start = take(length);
  return new Uint8Array(memory.buffer, start, length);
}
export function shortsColumn(length: number): Uint16Array {
  const start = take(length * 2);
  return new Uint16Array(memory.buffer, start, length);
}
export function wordsColumn(length: number): Uint32Array {
  const start = take(length * 4);
  return new Uint32Array(memory.buffer, start, length);
}

type Kernels = {
  both(to: number, one: number, other: number): number;
  without(to: number, one: number, other: number): number;
  either(to: number, one: number, other: number): void;
  countBoth(one: number, other: number): number;
  countFour(rows: number, four: number, sums: number): void;
  listRows(bits: number, to: number): number;
  addRows(to: number, rows: number, end: number): void;
  addNear(to: number, legs: number, end: number, starts: number, places: number, rows: number, radii: number): void;
  countNear(of: number, legs: number, end: number, starts: number, places: number, rows: number): number;
  keepUpTo(bits: number, column: number, most: number): void;
};

const source = readFileSync(new URL('./kernels.wat', import.meta.url), 'utf8');
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assemble(source)), { room: { memory } });
/** The functions of kernels.wat. */
export const kernels = exports as Kernels;
