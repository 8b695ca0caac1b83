import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

// Small encoders for unusual files of each format.

export const uint = (bytes: number, ...values: number[]) => {
  const data = Buffer.alloc(values.length * bytes);
  for (const [index, value] of values.entries()) data.writeUIntBE(value, index * bytes, bytes);
  return data;
};

/** A picture in one colour. */
export const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 200, g: 50, b: 50, alpha: 0.5 } } });

// PNG

export const pngChunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint(4, data.length), body, uint(4, crc32(body))]);
};

/** Inserts chunks into a PNG, after its header. */
export const withPngChunks = (png: Buffer, ...chunks: Buffer[]) => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

const colourTypes = { grey: 0, rgb: 2, palette: 3, rgba: 6 } as const;
const channels = { grey: 1, rgb: 3, palette: 1, rgba: 4 } as const;
// Start and step of each of the seven passes of an interlaced picture.
const passes = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]] as const; // prettier-ignore

/** A black PNG, a few kilobytes for any number of pixels. */
export function blackPng(
  width: number,
  height: number,
  { kind = 'grey', depth = 1, interlaced = false }: { kind?: keyof typeof colourTypes; depth?: number; interlaced?: boolean } = {},
) {
  const rowBytes = (pixels: number) => Math.ceil((pixels * channels[kind] * depth) / 8) + 1;
  const rows = interlaced
    ? passes.map(([x, y, across, down]) => {
        const wide = Math.ceil((width - x) / across);
        return wide > 0 ? Math.max(0, Math.ceil((height - y) / down)) * rowBytes(wide) : 0;
      })
    : [height * rowBytes(width)];
  const bytes = rows.reduce((sum, one) => sum + one, 0);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', Buffer.concat([uint(4, width, height), Buffer.from([depth, colourTypes[kind], 0, 0, interlaced ? 1 : 0])])),
    pngChunk('IDAT', deflateSync(Buffer.alloc(bytes))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

// JPEG

export const jpegSegment = (marker: number, data: Buffer) => Buffer.concat([Buffer.from([0xff, marker]), uint(2, data.length + 2), data]);

/** Inserts segments into a JPEG, after its first marker. */
export const withJpegSegments = (jpeg: Buffer, ...segments: Buffer[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/**
 * A grey progressive JPEG with many scans: the first for the brightness of all blocks, each of the others for one bit of one
 * coefficient, which is zero everywhere. Such a scan covers the whole picture in a hundred bytes.
 */
export function progressiveJpeg(width: number, height: number, scans: number) {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  // Tables of one code, a single 0 bit: "no difference" for the first scan, "nothing in 16,384 blocks" for the others.
  const table = (kind: number, symbol: number) =>
    jpegSegment(0xc4, Buffer.concat([Buffer.from([kind, 1]), Buffer.alloc(15), Buffer.from([symbol])]));
  const scan = (coefficient: number, bits: number, data: Buffer) =>
    Buffer.concat([jpegSegment(0xda, Buffer.from([1, 1, 0x00, coefficient, coefficient, bits])), data]);
  const light = Buffer.alloc(Math.ceil(blocks / 8));
  // The code and fourteen more 0 bits stand for 16,384 blocks.
  const nothing = Buffer.alloc(Math.ceil((Math.ceil(blocks / 16_384) * 15) / 8));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    jpegSegment(0xc2, Buffer.concat([Buffer.from([8]), uint(2, height, width), Buffer.from([1, 1, 0x11, 0])])),
    table(0x00, 0x00),
    table(0x10, 0xe0),
    scan(0, 0x00, light),
    ...Array.from({ length: scans - 1 }, (_, index) => {
      const bit = 13 - Math.floor(index / 63);
      return scan(1 + (index % 63), bit === 13 ? 0x0d : ((bit + 1) << 4) | bit, nothing);
    }),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Changes size or type in a JPEG's frame. */
export function withFrame(jpeg: Buffer, change: { marker?: number; width?: number; height?: number }) {
  const changed = Buffer.from(jpeg);
  const at = [0xc0, 0xc1, 0xc2].map((marker) => jpeg.indexOf(Buffer.from([0xff, marker, 0x00]))).find((found) => found > 0) ?? 0;
  if (change.marker !== undefined) changed[at + 1] = change.marker;
  if (change.height !== undefined) changed.writeUInt16BE(change.height, at + 5);
  if (change.width !== undefined) changed.writeUInt16BE(change.width, at + 7);
  return changed;
}

// WebP

export const webpChunk = (type: string, data: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), size, data, Buffer.alloc(data.length % 2)]);
};
/** A WebP of these chunks. */
export const createWebp = (...chunks: Buffer[]) => webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

function webpFrame(flags: number, width: number, height: number) {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}

/** Adds chunks to a simple WebP; `flags` are their kinds. */
export const withWebpChunks = (webp: Buffer, size: [number, number], flags: number, before: Buffer[], after: Buffer[] = []) =>
  createWebp(webpFrame(flags, ...size), ...before, webp.subarray(12), ...after);

/** An animation that repeats the picture of a simple WebP. */
export function animatedWebp(webp: Buffer, [width, height]: [number, number], frames: number) {
  const place = Buffer.alloc(16);
  place.writeUIntLE(width - 1, 6, 3);
  place.writeUIntLE(height - 1, 9, 3);
  place.writeUIntLE(40, 12, 3);
  const frame = webpChunk('ANMF', Buffer.concat([place, webp.subarray(12)]));
  return createWebp(webpFrame(0x02, width, height), webpChunk('ANIM', Buffer.alloc(6)), ...Array.from({ length: frames }, () => frame));
}

/** A lossless WebP of one colour, small at any size. */
export async function oneColourWebp(width: number, height: number) {
  const webp = await plain(8, 8).webp({ lossless: true }).toBuffer();
  const picture = webp.indexOf('VP8L') + 9;
  webp.writeUInt32LE(((webp.readUInt32LE(picture) & 0xf0000000) | ((height - 1) << 14) | (width - 1)) >>> 0, picture);
  return webp;
}

// AVIF

export const box = (type: string, ...content: Buffer[]) => {
  const data = Buffer.concat(content);
  return Buffer.concat([uint(4, data.length + 8), Buffer.from(type, 'latin1'), data]);
};
const fullBox = (type: string, versionAndFlags: number, ...content: Buffer[]) => box(type, uint(4, versionAndFlags), ...content);

export type AvifItem = {
  type: string;
  data: Buffer;
  properties?: Buffer[];
  refs?: [type: string, ...items: number[]][];
  /** Lists the data this many times. */
  repeated?: number;
  /** Stores the data in the description instead of after it. */
  isInMeta?: boolean;
};

/** An AVIF of items, numbered from 1; the first is the picture. */
export function createAvif(...items: AvifItem[]) {
  const properties = items.flatMap((item) => item.properties ?? []);
  let used = 0;
  const links = items.map((item, index) => {
    const numbers = (item.properties ?? []).map(() => ++used);
    return Buffer.concat([uint(2, index + 1), Buffer.from([numbers.length]), uint(2, ...numbers)]);
  });
  const refs = items.flatMap((item, index) =>
    (item.refs ?? []).map(([type, ...targets]) => box(type, uint(2, index + 1, targets.length, ...targets))),
  );
  const meta = (start: number) => {
    let [at, atInMeta] = [start, 0];
    const places = items.map(({ data, repeated = 1, isInMeta = false }, index) => {
      const pieces = Array.from({ length: repeated }, () => uint(4, isInMeta ? atInMeta : at, data.length));
      if (isInMeta) atInMeta += data.length;
      else at += data.length;
      return Buffer.concat([uint(2, index + 1, isInMeta ? 1 : 0, 0, repeated), ...pieces]);
    });
    return fullBox(
      'meta',
      0,
      fullBox('hdlr', 0, uint(4, 0), Buffer.from('pict'), Buffer.alloc(13)),
      fullBox('pitm', 0, uint(2, 1)),
      fullBox('iloc', 1 << 24, uint(2, 0x4400, items.length), ...places),
      fullBox(
        'iinf',
        0,
        uint(2, items.length),
        ...items.map(({ type }, index) => fullBox('infe', 2 << 24, uint(2, index + 1, 0), Buffer.from(`${type}\0`))),
      ),
      fullBox('iref', 0, ...refs),
      box('idat', ...items.filter((item) => item.isInMeta).map((item) => item.data)),
      box('iprp', box('ipco', ...properties), fullBox('ipma', 1, uint(4, items.length), ...links)),
    );
  };
  const type = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'));
  return Buffer.concat([
    type,
    meta(type.length + meta(0).length + 8),
    box('mdat', ...items.filter((item) => !item.isInMeta).map((item) => item.data)),
  ]);
}

export const sizeProperty = (width: number, height: number) => fullBox('ispe', 0, uint(4, width, height));

/** The parts of a one-coloured AVIF: data header, frame and configuration. */
export async function createAv1(width: number, height: number) {
  const avif = await plain(width, height).avif({ effort: 0 }).toBuffer();
  const data = avif.subarray(avif.indexOf('mdat') + 4);
  // The first unit is an empty one in some versions; a header's first byte is 0x0a.
  const start = data[0] === 0x12 ? 2 : 0;
  const end = start + 2 + (data[start + 1] ?? 0);
  const setup = avif.indexOf('av1C');
  return { header: data.subarray(start, end), frame: data.subarray(end), setup: box('av1C', avif.subarray(setup + 4, setup + 8)) };
}

/** Values with their number of bits. */
const bits = (...values: [value: number, length: number][]) => {
  const text = values.map(([value, length]) => value.toString(2).padStart(length, '0')).join('');
  return Buffer.from(text.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? []);
};
const av1Unit = (type: number, content: Buffer) => Buffer.concat([Buffer.from([(type << 3) | 2, content.length]), content]);

type FilmFrame = { repeats?: boolean; type?: number; isShown?: boolean; isOfOwnSize?: boolean };

/** The headers of a 64 × 64 AV1 film, without pixels. */
export function av1Film({
  isTimed = false,
  isDeep = false,
  hasIds = false,
  hasScreenTools = false,
  ...frame
}: FilmFrame & {
  isTimed?: boolean;
  isDeep?: boolean;
  hasIds?: boolean;
  hasScreenTools?: boolean;
} = {}) {
  const { repeats = false, type = 0, isShown = true, isOfOwnSize = false } = frame;
  const flag = (is: boolean): [number, number] => [is ? 1 : 0, 1];
  const sequence = bits(
    [0, 3],
    flag(false),
    flag(false),
    flag(isTimed),
    flag(true),
    [0, 5],
    [0, 12],
    [8, 5],
    [1, 1],
    [1, 1],
    [7, 4], // prettier-ignore
    [5, 4],
    [5, 4],
    [63, 6],
    [63, 6],
    flag(hasIds),
    ...(hasIds ? ([[1, 4], [2, 3]] as [number, number][]) : []), // prettier-ignore
    [0, 3],
    [0, 4],
    [1, 1],
    [0, 2],
    [0, 1],
    flag(hasScreenTools),
    ...(hasScreenTools ? ([[1, 1]] as [number, number][]) : []),
    [3, 3],
    [0, 3],
    flag(isDeep), // prettier-ignore
  );
  const picture = bits(
    flag(repeats),
    [type, 2],
    flag(isShown),
    [0, 1],
    ...(hasScreenTools ? ([[1, 1]] as [number, number][]) : []),
    ...(hasIds ? ([[0, 6]] as [number, number][]) : []),
    flag(isOfOwnSize),
    [0, 16], // prettier-ignore
  );
  return { header: av1Unit(1, sequence), frame: av1Unit(6, picture) };
}
