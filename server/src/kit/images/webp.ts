import { readOrientation, type SanitizedImage, estimateMemory, readColourProfile, damaged } from './format-helpers.ts';

type Chunk = { type: string; data: Buffer };

function* chunksOf(file: Buffer, from: number): Generator<Chunk> {
  for (let at = from; at + 8 <= file.length;) {
    const end = at + 8 + file.readUInt32LE(at + 4);
    // What follows the picture may be cut off; a picture that is cut off is missing.
    if (end > file.length) return;
    yield { type: file.toString('latin1', at, at + 4), data: file.subarray(at + 8, end) };
    at = end + (end % 2);
  }
}

/** Keeps the picture, its transparency and colour profile; of an animation, the first frame. */
export function sanitizeWebp(whole: Buffer): SanitizedImage {
  const end = 8 + whole.readUInt32LE(4);
  const byType = new Map<string, Chunk>();
  let wasPictureSeen = false;
  const take = (chunk: Chunk) => {
    if (/^(ALPH|VP8 |VP8L)$/.test(chunk.type)) {
      if (wasPictureSeen) return;
      wasPictureSeen = chunk.type !== 'ALPH';
    } else if (!/^(ICCP|EXIF)$/.test(chunk.type)) return;
    if (!byType.has(chunk.type)) byType.set(chunk.type, chunk);
  };
  for (const chunk of chunksOf(whole.subarray(0, end), 12)) {
    take(chunk);
    // The first 16 bytes are the frame's position and duration.
    if (chunk.type === 'ANMF' && !wasPictureSeen) for (const part of chunksOf(chunk.data, 16)) take(part);
  }
  const lossy = byType.get('VP8 ');
  const lossless = byType.get('VP8L');
  const alpha = lossy && byType.get('ALPH');
  const { width, height, isTransparent } = lossy ? lossySize(lossy.data) : losslessSize(lossless?.data);
  const memory = estimateMemory(width, height, lossless ? 4.5 : alpha ? 5 : 1.5);

  const profile = readColourProfile(byType.get('ICCP')?.data);
  const frame = Buffer.alloc(10);
  frame[0] = (profile ? 0x20 : 0) | (alpha || isTransparent ? 0x10 : 0);
  frame.writeUIntLE(width - 1, 4, 3);
  frame.writeUIntLE(height - 1, 7, 3);
  const chunks = [{ type: 'VP8X', data: frame }, profile && { type: 'ICCP', data: profile }, alpha, lossy ?? lossless];
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.filter((chunk) => chunk !== undefined).map(chunkBytes)]);
  const exif = byType.get('EXIF')?.data;
  // Some programs write JPEG's prefix before it.
  const marked = exif?.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  return { bytes: chunkBytes({ type: 'RIFF', data: body }), orientation: marked ? readOrientation(marked) : 1, memory };
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
