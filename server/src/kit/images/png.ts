import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { readOrientation, type SanitizedImage, estimateMemory, readColourProfile, maxProfileBytes, damaged } from './format-helpers.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** The library buffers at most so many rows of a sequential picture. */
const maxBufferedRows = 2_000;

type Chunk = { type: string; data: Buffer; whole: Buffer };

function* chunksOf(file: Buffer): Generator<Chunk> {
  for (let at = signature.length; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at);
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) };
    at = end;
  }
  throw damaged();
}

/** Keeps the header, palette, transparency, colour profile and rows; of an animation, the first frame. */
export function sanitizePng(file: Buffer): SanitizedImage {
  const rows: Buffer[] = [];
  const byType = new Map<string, Chunk>();
  for (const chunk of chunksOf(file)) {
    if (chunk.type === 'IEND') break;
    if (byType.size === 0 && chunk.type !== 'IHDR') throw damaged();
    if (chunk.type === 'IDAT') rows.push(chunk.whole);
    else if (/^(IHDR|PLTE|tRNS|iCCP|eXIf)$/.test(chunk.type)) {
      // Of the others, decoders take the first.
      if (byType.has(chunk.type) && /^(IHDR|PLTE)$/.test(chunk.type)) throw damaged();
      if (!byType.has(chunk.type)) byType.set(chunk.type, chunk);
    }
  }
  const header = byType.get('IHDR');
  const palette = byType.get('PLTE');
  const transparency = byType.get('tRNS');
  // A longer one is ignored by decoders.
  const alpha = transparency && transparency.data.length <= 256 ? transparency : undefined;
  if (header?.data.length !== 13 || (palette?.data.length ?? 0) > 768) throw damaged();

  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)];
  const [depth = 0, colourType = 0, , , interlaced] = header.data.subarray(8);
  const channels = colourType === 3 ? 3 + (alpha ? 1 : 0) : (channelsOf[colourType] ?? 4) + (alpha ? 1 : 0);
  const bytesPerPixel = channels * (depth === 16 ? 2 : 1);
  // An interlaced picture is held as a whole.
  const whole = estimateMemory(width, height, interlaced ? bytesPerPixel * 1.2 : 1);
  const memory = interlaced ? whole : width * Math.min(height, maxBufferedRows) * bytesPerPixel;

  const exif = byType.get('eXIf');
  const parts = [signature, header.whole, profileChunk(byType.get('iCCP')), palette?.whole, alpha?.whole, ...rows, getChunk('IEND')];
  return {
    bytes: Buffer.concat(parts.filter((part) => part !== undefined)),
    orientation: exif ? readOrientation(exif.data) : 1,
    memory,
  };
}

function getChunk(type: string, data = Buffer.alloc(0)) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** The recompressed profile, because arbitrary data may follow the compressed one. */
function profileChunk(chunk: Chunk | undefined) {
  const packed = chunk?.data.subarray(chunk.data.indexOf(0) + 2);
  let profile: Buffer | undefined;
  try {
    profile = packed && readColourProfile(inflateSync(packed, { maxOutputLength: maxProfileBytes }));
  } catch {
    // Too large or damaged.
  }
  return profile && getChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]));
}
