import { deflateSync } from 'node:zlib';
import {
  animatedWebp,
  av1Of,
  avifOf,
  blackPng,
  box,
  jpegSegment,
  plain,
  pngChunk,
  sizeProperty,
  uint,
  webpChunk,
  withJpegSegments,
  withPngChunks,
  withWebpChunks,
} from '@handwise/sandbox/test-picture-files';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { Refusal } from './refusal.ts';
import { strip } from './strip.ts';

const secret = Buffer.from('SECRET');
/** The start of EXIF data that say how the camera was held. */
const exif = (orientation: number, order: 'II' | 'MM' = 'MM') => {
  const data = Buffer.concat([
    Buffer.from('MM\0\x2a', 'latin1'),
    uint(4, 8),
    uint(2, 2, 0x010f, 2),
    uint(4, 6, 38),
    uint(2, 0x0112, 3),
    uint(4, 1),
    uint(2, orientation, 0),
    uint(4, 0),
    secret,
  ]);
  if (order === 'MM') return data;
  for (const [at, size] of [
    [0, 2],
    [2, 2],
    [4, 4],
    [8, 2],
    [10, 2],
    [12, 2],
    [14, 4],
    [18, 4],
    [22, 2],
    [24, 2],
    [26, 4],
    [30, 2],
    [32, 2],
  ] as const) {
    // prettier-ignore
    if (at > 0) data.subarray(at, at + size).reverse();
  }
  data.write('II');
  return data;
};

const profileOf = async (name: 'p3' | 'cmyk' = 'p3') =>
  (await sharp(await plain(8, 8).withIccProfile(name).png().toBuffer()).metadata()).icc ?? Buffer.alloc(0);
const p3 = await profileOf();
/** A profile of so many bytes, as long as it says. */
const padded = (bytes: number, space = 'RGB ') => {
  const data = Buffer.concat([p3, Buffer.alloc(bytes - p3.length)]);
  data.writeUInt32BE(bytes, 0);
  data.write(space, 16);
  return data;
};
const profileIn = async (file: Buffer) => (await sharp(file).metadata()).icc;

const pngIn = (profile: Buffer) => pngChunk('iCCP', Buffer.concat([Buffer.from('SECRET\0\0'), deflateSync(profile), secret]));
const jpegIn = (profile: Buffer, parts = 2) => {
  const size = Math.ceil(profile.length / parts);
  return Array.from({ length: parts }, (_, index) =>
    jpegSegment(
      0xe2,
      Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([index + 1, parts]), profile.subarray(index * size, (index + 1) * size)]),
    ),
  );
};

const makers = {
  jpeg: async (profile = p3) =>
    Buffer.concat([
      withJpegSegments(
        await plain(60, 40).jpeg().toBuffer(),
        jpegSegment(0xe0, Buffer.concat([Buffer.from('JFXX\0'), secret])),
        jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(6)])),
        jpegSegment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), secret])),
        ...jpegIn(profile),
        jpegSegment(0xed, secret),
        jpegSegment(0xfe, secret),
      ),
      secret,
    ]),
  png: async (profile = p3) =>
    Buffer.concat([
      withPngChunks(
        await plain(60, 40, 4).png().toBuffer(),
        pngIn(profile),
        pngChunk('eXIf', exif(6)),
        pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), secret])),
        pngChunk('seCr', secret),
      ),
      secret,
    ]),
  webp: async (profile = p3) =>
    Buffer.concat([
      withWebpChunks(
        await plain(60, 40).webp().toBuffer(),
        [60, 40],
        0x2c,
        [webpChunk('ICCP', profile)],
        [webpChunk('EXIF', exif(6)), webpChunk('XMP ', secret), webpChunk('SECR', secret)],
      ),
      secret,
    ]),
  avif: async (profile = p3) => {
    const { header, frame, setup } = await av1Of(60, 40);
    const note = Buffer.concat([Buffer.from([0x2a, secret.length]), secret]);
    const properties = [
      sizeProperty(60, 40),
      Buffer.concat([setup, Buffer.alloc(0)]),
      box('colr', Buffer.from('prof'), profile),
      box('SECR', secret),
    ];
    return avifOf(
      { type: 'av01', data: Buffer.concat([header, note, frame, note]), properties },
      { type: 'Exif', data: Buffer.concat([uint(4, 0), exif(6)]), refs: [['cdsc', 1]] },
      { type: 'mime', data: secret, refs: [['cdsc', 1]] },
    );
  },
};

describe.each(['jpeg', 'png', 'webp', 'avif'] as const)('of a %s', (format) => {
  test('comments, camera data, names and what stands behind it go, and the picture stays as it was', async () => {
    const file = await makers[format]();
    expect(file.includes(secret)).toBe(true);
    const { bytes } = strip(file);
    expect([bytes.includes(secret), bytes.includes('Exif'), bytes.length < file.length]).toEqual([false, false, true]);
    const pixels = (data: Buffer) => sharp(data).raw().toBuffer();
    expect((await pixels(bytes)).equals(await pixels(file))).toBe(true);
    expect(strip(bytes).bytes.equals(bytes)).toBe(true);
  });

  test('a colour profile stays where it is small and one of colours', async () => {
    expect(await profileIn(strip(await makers[format]()).bytes)).toEqual(p3);
    const largest = padded(64_000);
    expect(await profileIn(strip(await makers[format](largest)).bytes)).toEqual(largest);
    for (const profile of [padded(64_001), padded(1_000, 'CMYK'), Buffer.alloc(1_000), p3.subarray(0, 300)]) {
      const { bytes } = strip(await makers[format](profile));
      expect([await profileIn(bytes), bytes.includes('acsp')]).toEqual([undefined, false]);
    }
  });
});

test.each(['II', 'MM'] as const)('which way up is read from camera data of the order %s', async (order) => {
  const jpeg = await plain(60, 40).jpeg().toBuffer();
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const segment = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation, order)]));
    expect(strip(withJpegSegments(jpeg, segment)).orientation).toBe(orientation);
  }
});

test.each([
  ['of no order', Buffer.concat([Buffer.from('XX'), exif(6).subarray(2)])],
  ['that are cut off', exif(6).subarray(0, 24)],
  ['that point out of themselves', Buffer.concat([exif(6).subarray(0, 4), uint(4, 4_000_000_000)])],
  ['that say 0', exif(0)],
  ['that say 9', exif(9)],
  ['with a number of another kind', Buffer.from(exif(6)).fill(4, 25, 26)],
  ['of nothing', Buffer.alloc(0)],
])('camera data %s count as upright', async (_, data) => {
  const jpeg = withJpegSegments(await plain(60, 40).jpeg().toBuffer(), jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), data])));
  expect(strip(jpeg).orientation).toBe(1);
});

test('a WebP’s camera data are read with and without the mark of a JPEG', async () => {
  const webp = await plain(60, 40).webp().toBuffer();
  for (const data of [exif(8), Buffer.concat([Buffer.from('Exif\0\0'), exif(8)])]) {
    expect(strip(withWebpChunks(webp, [60, 40], 0x08, [], [webpChunk('EXIF', data)])).orientation).toBe(8);
  }
});

test('of an animation the first picture is taken', async () => {
  const webp = await plain(60, 40).webp().toBuffer();
  const { bytes } = strip(animatedWebp(webp, [60, 40], 3));
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 60, height: 40, format: 'webp' });
  expect((await sharp(bytes).metadata()).pages).toBeUndefined();
});

test.each([
  ['a PNG', () => plain(60, 40, 4).png().toBuffer()],
  ['a PNG with a palette', () => plain(60, 40, 4).png({ palette: true }).toBuffer()],
  ['a WebP', () => plain(60, 40, 4).webp().toBuffer()],
  ['a WebP without loss', () => plain(60, 40, 4).webp({ lossless: true }).toBuffer()],
  ['an AVIF', () => plain(60, 40, 4).avif().toBuffer()],
])('%s stays transparent', async (_, make) => {
  const file = await make();
  const { bytes } = strip(file);
  expect(await sharp(bytes).metadata()).toMatchObject({ hasAlpha: true });
  expect((await sharp(bytes).ensureAlpha().raw().toBuffer()).equals(await sharp(file).ensureAlpha().raw().toBuffer())).toBe(true);
});

test.each([
  ['in grey', () => plain(60, 40).greyscale().jpeg().toBuffer()],
  ['in the colours of printers', () => plain(60, 40).toColourspace('cmyk').jpeg().toBuffer()],
  ['in scans', () => plain(60, 40).jpeg({ progressive: true }).toBuffer()],
  ['with marks to go on from', async () => markedJpeg()],
])('a JPEG %s keeps its colours', async (_, make) => {
  const file = await make();
  const rgb = (data: Buffer) => sharp(data).toColourspace('srgb').raw().toBuffer();
  expect((await rgb(strip(file).bytes)).equals(await rgb(file))).toBe(true);
});

/** Four grey blocks, each followed by a mark: a reader that lost its way can go on from there. */
function markedJpeg() {
  const table = (kind: number) => jpegSegment(0xc4, Buffer.concat([Buffer.from([kind, 1]), Buffer.alloc(16)]));
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)])),
    jpegSegment(0xc0, Buffer.from([8, 0, 8, 0, 32, 1, 1, 0x11, 0])),
    table(0x00),
    table(0x10),
    jpegSegment(0xdd, uint(2, 1)),
    jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from('3fffd03fffd13fffd23fffd9', 'hex'),
  ]);
}

test('an AVIF of tiles, turned and cut by its own box, is read like that', async () => {
  const tile = { type: 'av01', ...(await tileOf(64)) };
  const grid = {
    type: 'grid',
    data: Buffer.from([0, 0, 0, 1, 0, 120, 0, 60]),
    properties: [sizeProperty(120, 60), box('irot', Buffer.from([1]))],
  };
  const file = avifOf({ ...grid, refs: [['dimg', 2, 3]] }, tile, tile);
  const { bytes } = strip(file);
  const [given, left] = await Promise.all([sharp(file).metadata(), sharp(bytes).metadata()]);
  expect([left.width, left.height]).toEqual([given.width, given.height]);
  expect([left.width, left.height]).toEqual([60, 120]);
  expect((await sharp(bytes).raw().toBuffer()).equals(await sharp(file).raw().toBuffer())).toBe(true);
});

async function tileOf(side: number) {
  const { header, frame, setup } = await av1Of(side, side);
  return { data: Buffer.concat([header, frame]), properties: [sizeProperty(side, side), setup] };
}

// What decoding takes decides what may run beside it: measured, see plain.ts.
test.each([
  ['a PNG of rows', () => blackPng(3_000, 3_000, { kind: 'rgba', depth: 16 }), 48e6],
  ['an interlaced PNG', () => blackPng(3_000, 3_000, { kind: 'rgba', depth: 16, interlaced: true }), 86.4e6],
  ['a JPEG of one scan', () => plain(3_000, 3_000).jpeg().toBuffer(), 4.5e6],
  ['a progressive JPEG', () => plain(3_000, 3_000).jpeg({ progressive: true, chromaSubsampling: '4:2:0' }).toBuffer(), 27.1e6],
  ['a WebP', () => plain(3_000, 3_000).webp({ effort: 0 }).toBuffer(), 13.5e6],
  ['a WebP without loss', () => plain(3_000, 3_000).webp({ lossless: true, effort: 0 }).toBuffer(), 40.5e6],
  ['a transparent WebP', () => plain(3_000, 3_000, 4).webp({ effort: 0 }).toBuffer(), 45e6],
  ['an AVIF', () => plain(3_000, 3_000).avif({ effort: 0 }).toBuffer(), 171e6],
])('%s is known to take its memory', async (_, make, bytes) => {
  const { memory } = strip(await make());
  expect(memory / bytes).toBeCloseTo(1, 1);
});

test('files of one byte less or with one byte changed are read or refused, and never anything else', async () => {
  const outcomeOf = (file: Buffer) => {
    try {
      return strip(file).bytes.length > 0 ? 'read' : 'empty';
    } catch (error) {
      return error instanceof Refusal ? 'refused' : error;
    }
  };
  for (const make of Object.values(makers)) {
    const file = await make();
    const outcomes = new Set<unknown>();
    for (let at = 0; at < Math.min(file.length, 1_500); at += 1) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      outcomes.add(outcomeOf(changed)).add(outcomeOf(file.subarray(0, at)));
    }
    expect(outcomes).toEqual(new Set(['read', 'refused']));
  }
});
