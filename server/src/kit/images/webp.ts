import { orientationOf } from './orientation.ts';
import { type Plain, memoryOf } from './plain.ts';
import { colourProfile } from './profile.ts';
import { damaged } from './refusal.ts';

type Chunk = { type: string; data: Buffer };

function* chunksOf(file: Buffer, from: number): Generator<Chunk> {
  for (let at = from; at + 8 <= file.length;) {
    const end = at + 8 + file.readUInt32LE(at + 4);
    if (end > file.length) throw damaged();
    yield { type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, end) };
    at = end + (end % 2);
  }
}

/** The picture with what is transparent in it, and the colour profile. Of an animation, its first picture. */
export function plainWebp(whole: Buffer): Plain {
  const end = 8 + whole.readUInt32LE(4);
  const kept = new Map<string, Chunk>();
  let wasPictureSeen = false;
  const take = (chunk: Chunk) => {
    if (/^(ALPH|VP8 |VP8L)$/.test(chunk.type)) {
      if (wasPictureSeen) return;
      wasPictureSeen = chunk.type !== 'ALPH';
    } else if (!/^(ICCP|EXIF)$/.test(chunk.type)) return;
    if (!kept.has(chunk.type)) kept.set(chunk.type, chunk);
  };
  for (const chunk of chunksOf(whole.subarray(0, end), 12)) {
    take(chunk);
    // Sixteen bytes say where and how long it is shown.
    if (chunk.type === 'ANMF' && !wasPictureSeen) for (const part of chunksOf(chunk.data, 16)) take(part);
  }
  const lossy = kept.get('VP8 ');
  const lossless = kept.get('VP8L');
  const alpha = lossy && kept.get('ALPH');
  const { width, height, isTransparent } = lossy ? lossySize(lossy.data) : losslessSize(lossless?.data);
  const memory = memoryOf(width, height, lossless ? 4.5 : alpha ? 5 : 1.5);

  const profile = colourProfile(kept.get('ICCP')?.data);
  const frame = Buffer.alloc(10);
  frame[0] = (profile ? 0x20 : 0) | (alpha || isTransparent ? 0x10 : 0);
  frame.writeUIntLE(width - 1, 4, 3);
  frame.writeUIntLE(height - 1, 7, 3);
  const chunks = [{ type: 'VP8X', data: frame }, profile && { type: 'ICCP', data: profile }, alpha, lossy ?? lossless];
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.filter((chunk) => chunk !== undefined).map(chunkBytes)]);
  const exif = kept.get('EXIF')?.data;
  // Some programs put JPEG's mark before it.
  const marked = exif?.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  return { bytes: chunkBytes({ type: 'RIFF', data: body }), orientation: marked ? orientationOf(marked) : 1, memory };
}

function chunkBytes({ type, data }: Chunk) {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function lossySize(data: Buffer) {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) throw damaged();
  return sized(data.readUInt16LE(6) & 0x3fff, data.readUInt16LE(8) & 0x3fff, false);
}

function losslessSize(data: Buffer | undefined) {
  if (!data || data.length < 5 || data[0] !== 0x2f) throw damaged();
  const bits = data.readUInt32LE(1);
  return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, ((bits >>> 28) & 1) === 1);
}

function sized(width: number, height: number, isTransparent: boolean) {
  if (width === 0 || height === 0) throw damaged();
  return { width, height, isTransparent };
}
