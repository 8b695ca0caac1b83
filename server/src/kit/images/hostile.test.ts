import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type AvifItem,
  animatedWebp,
  createAv1,
  createAvif,
  blackPng,
  jpegSegment,
  oneColourWebp,
  plain,
  progressiveJpeg,
  pngChunk,
  sizeProperty,
  uint,
  webpChunk,
  withFrame,
  withJpegSegments,
  withPngChunks,
  withWebpChunks,
} from '@handwise/sandbox/testing/picture-files';
import { processFacts, startedProcesses } from '@handwise/sandbox/testing/processes';
import { processLogo, processPicture } from './images.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-hostile-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let made = 0;
function upload(data: Buffer, filename = 'harm') {
  const path = join(dir, String(++made));
  writeFileSync(path, data);
  return { path, fieldPath: 'serviceImages[0]', filename };
}

const many = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));
const filler = (bytes: number) => Buffer.alloc(bytes, 0x5a);
/** 48 MB of one letter, compressed to 47 kB. Zeros would be harmless, because a text ends at the first one. */
const packedLetters = deflateSync(Buffer.alloc(48 * 1024 * 1024, 'A'));
/** 960 MB of zeros in one stream with an invalid end. */
const packedVastly = () => {
  const piece = deflateRawSync(Buffer.alloc(16 * 1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...many(60, () => piece), Buffer.from([3, 0, 0, 0, 0, 0])]);
};
const packed = (keyword: string) => Buffer.concat([Buffer.from(keyword, 'latin1'), packedLetters]);

const smallPng = () => plain(100, 100).png().toBuffer();
const smallJpeg = () => plain(100, 100).jpeg().toBuffer();
const smallWebp = () => plain(100, 100).webp().toBuffer();
const progressive = (chromaSubsampling: string) => plain(100, 100).jpeg({ progressive: true, chromaSubsampling }).toBuffer();
const twentyMegapixels = await createAv1(5_000, 4_000);
const av01 = ({ header, frame, setup }: Awaited<ReturnType<typeof createAv1>>, width: number, height: number): AvifItem => ({
  type: 'av01',
  data: Buffer.concat([header, frame]),
  properties: [sizeProperty(width, height), setup],
});

// Everything but the picture is dropped, and the picture is converted.
const loaded: [string, () => Promise<Buffer> | Buffer][] = [
  [
    'a PNG with 32 packed texts of 48 MB each',
    async () => withPngChunks(await smallPng(), ...many(32, () => pngChunk('zTXt', packed('x\0\0')))),
  ],
  [
    'a PNG with 32 packed international texts of 48 MB each',
    async () => withPngChunks(await smallPng(), ...many(32, () => pngChunk('iTXt', packed('x\0\x01\0\0\0')))),
  ],
  [
    'a PNG with 4 MB of text in 1,000 pieces',
    async () => withPngChunks(await smallPng(), ...many(1_000, () => pngChunk('tEXt', Buffer.concat([Buffer.from('x\0'), filler(4_000)])))),
  ],
  [
    'a PNG with a colour profile of 960 MB',
    async () => withPngChunks(await smallPng(), pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), packedVastly()]))),
  ],
  [
    'a PNG with 300,000 empty pieces',
    async () => withPngChunks(await smallPng(), Buffer.concat(many(300_000, () => pngChunk('noTe', Buffer.alloc(0))))),
  ],
  [
    'a PNG with an animation of 4,000 frames',
    async () => {
      const frames = many(4_000, (index) => [
        pngChunk('fcTL', Buffer.concat([uint(4, index * 2, 100, 100, 0, 0), uint(2, 1, 25, 0)])),
        pngChunk('fdAT', Buffer.concat([uint(4, index * 2 + 1), filler(1_000)])),
      ]);
      const png = withPngChunks(await smallPng(), pngChunk('acTL', uint(4, 4_000, 0)));
      return Buffer.concat([png.subarray(0, -12), ...frames.flat(), png.subarray(-12)]);
    },
  ],
  ['an interlaced PNG of 49 megapixels', () => blackPng(7_000, 7_000, { kind: 'rgb', depth: 8, interlaced: true })],
  ['a PNG of 16,384 pixels across with 8 bytes each', () => blackPng(16_384, 3_050, { kind: 'rgba', depth: 16 })],
  [
    'a JPEG with 4 MB of comments, notes and camera data',
    async () => {
      const kinds = [0xfe, 0xe1, 0xed, 0xe4];
      return withJpegSegments(await smallJpeg(), ...many(64, (index) => jpegSegment(kinds[index % 4] ?? 0, filler(65_000))));
    },
  ],
  [
    'a JPEG with a colour profile of 4 MB in 70 parts',
    async () => {
      const part = (index: number) => Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([index + 1, 70]), filler(60_000)]);
      return withJpegSegments(await smallJpeg(), ...many(70, (index) => jpegSegment(0xe2, part(index))));
    },
  ],
  ['a JPEG of 49 megapixels with 40 scans', () => progressiveJpeg(7_000, 7_000, 40)],
  [
    'a WebP with 4 MB of profile, camera data and notes',
    async () => {
      const after = [webpChunk('EXIF', filler(1_000_000)), webpChunk('XMP ', filler(1_000_000))];
      return withWebpChunks(await smallWebp(), [100, 100], 0x2c, [webpChunk('ICCP', filler(2_000_000))], after);
    },
  ],
  ['a WebP with 20,000 frames of 16 megapixels', async () => animatedWebp(await oneColourWebp(4_000, 4_000), [4_000, 4_000], 20_000)],
  ['a WebP of 49 megapixels in 40 bytes', () => oneColourWebp(7_000, 7_000)],
  [
    'an AVIF with 1,000 notes, and camera data of 60 MB that are one megabyte 60 times over',
    async () =>
      createAvif(
        av01(await createAv1(100, 100), 100, 100),
        { type: 'Exif', data: filler(1_000_000), refs: [['cdsc', 1]], repeated: 60 },
        ...many(1_000, (): AvifItem => ({ type: 'mime', data: Buffer.alloc(0), refs: [['cdsc', 1]] })),
      ),
  ],
  [
    'an AVIF with 3,000 frames of 9 megapixels',
    async () => {
      const parts = await createAv1(3_000, 3_000);
      const picture = av01(parts, 3_000, 3_000);
      return createAvif({ ...picture, data: Buffer.concat([picture.data, ...many(3_000, () => parts.frame)]) });
    },
  ],
  ['an AVIF of 12.5 megapixels', () => plain(4_080, 3_060).avif({ effort: 0 }).toBuffer()],
];

const tooManyPixels = (megapixels: number) => `has too many pixels. Use a picture of at most ${megapixels} megapixels.`;
const tooLong = 'is too wide or too tall. Use a picture of at most 16,384 pixels on each side.';
const tooCostly = 'takes too much work to read. Save it again as an ordinary JPEG and try that.';
const damaged = 'is damaged or incomplete.';
const unreadable = 'is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.';

const refused: [string, string, () => Promise<Buffer> | Buffer][] = [
  ['a PNG of 7,200 × 7,200 pixels', tooManyPixels(50), () => blackPng(7_200, 7_200)],
  ['a PNG of 1,000,000 × 50 pixels', tooLong, () => blackPng(1_000_000, 50)],
  [
    'an interlaced PNG of 49 megapixels with 8 bytes each',
    tooManyPixels(24.5),
    () => blackPng(7_000, 7_000, { kind: 'rgba', depth: 16, interlaced: true }),
  ],
  ['a JPEG of 49 megapixels with 41 scans', tooCostly, () => progressiveJpeg(7_000, 7_000, 41)],
  ['a JPEG of 49 megapixels with 800 scans', tooCostly, () => progressiveJpeg(7_000, 7_000, 800)],
  [
    'a progressive JPEG of 49 megapixels with all its colours',
    tooManyPixels(39.5),
    async () => withFrame(await progressive('4:4:4'), { width: 7_000, height: 7_000 }),
  ],
  ['a JPEG that says it has 60,000 × 60,000 pixels', tooLong, async () => withFrame(await smallJpeg(), { width: 60_000, height: 60_000 })],
  [
    'a JPEG that says it has 9,000 × 9,000 pixels',
    tooManyPixels(50),
    async () => withFrame(await smallJpeg(), { width: 9_000, height: 9_000 }),
  ],
  ['a JPEG that is packed arithmetically', unreadable, async () => withFrame(await smallJpeg(), { marker: 0xc9 })],
  [
    'a JPEG with two frames',
    damaged,
    async () => {
      const jpeg = await smallJpeg();
      const at = jpeg.indexOf(Buffer.from([0xff, 0xc0, 0x00]));
      return withJpegSegments(withFrame(jpeg, { width: 16_000, height: 16_000 }), jpeg.subarray(at, at + 19));
    },
  ],
  ['a WebP of 16,383 × 16,383 pixels in 40 bytes', tooManyPixels(50), () => oneColourWebp(16_383, 16_383)],
  [
    'an AVIF whose picture is its data 60 times over',
    damaged,
    async () => createAvif({ ...av01(await createAv1(100, 100), 100, 100), repeated: 60 }),
  ],
  [
    'an AVIF whose picture is in 60,000 pieces',
    tooCostly,
    async () => createAvif({ ...av01(await createAv1(100, 100), 100, 100), repeated: 60_000 }),
  ],
  ['an AVIF of 20 megapixels that says it has 100 × 100 pixels', damaged, () => createAvif(av01(twentyMegapixels, 100, 100))],
  ['an AVIF of 20 megapixels', tooManyPixels(12.5), () => createAvif(av01(twentyMegapixels, 5_000, 4_000))],
  [
    'an AVIF of 25,600 × 25,600 pixels in tiles that are all the same one',
    tooLong,
    async () => {
      const grid = Buffer.concat([Buffer.from([0, 1, 255, 255]), uint(4, 25_600, 25_600)]);
      return createAvif(
        { type: 'grid', data: grid, properties: [sizeProperty(25_600, 25_600)], refs: [['dimg', ...many(65_535, () => 2)]] },
        av01(await createAv1(100, 100), 100, 100),
      );
    },
  ],
  [
    'an AVIF of 100 × 100 pixels in 60 tiles of 1 megapixel',
    tooCostly,
    async () => {
      const tile = av01(await createAv1(1_000, 1_000), 1_000, 1_000);
      const grid = Buffer.concat([Buffer.from([0, 0, 5, 9]), uint(2, 100, 100)]);
      return createAvif(
        { type: 'grid', data: grid, properties: [sizeProperty(100, 100)], refs: [['dimg', ...many(60, (index) => index + 2)]] },
        ...many(60, () => tile),
      );
    },
  ],
  [
    'an AVIF in 16 × 16 tiles',
    tooCostly,
    async () => {
      const tile = av01(await createAv1(100, 100), 100, 100);
      const grid = Buffer.concat([Buffer.from([0, 0, 15, 15]), uint(2, 1_600, 1_600)]);
      return createAvif(
        { type: 'grid', data: grid, properties: [sizeProperty(1_600, 1_600)], refs: [['dimg', ...many(256, (index) => index + 2)]] },
        ...many(256, () => tile),
      );
    },
  ],
];

const isLinux = process.platform === 'linux';
const workers = () => (isLinux ? startedProcesses('images/worker') : []);
const factsOf = (id: number | undefined) => (id === undefined ? { usedSeconds: 0, peakMegabytes: 0 } : processFacts(id));

/** Processes a file while another user's picture is converted; one process must do both within its limits. */
async function workOn(file: Buffer) {
  const other = upload(await plain(300, 200).jpeg().toBuffer(), 'other.jpg');
  await processPicture(other);
  const before = workers();
  const { usedSeconds } = factsOf(before[0]);
  const [outcome, meanwhile] = await Promise.allSettled([processLogo(upload(file), null), processPicture(other)]);
  expect(meanwhile).toMatchObject({ status: 'fulfilled', value: { width: 300 } });
  expect([before.length, workers()]).toEqual([isLinux ? 1 : 0, before]);
  const after = factsOf(before[0]);
  expect(after.usedSeconds - usedSeconds).toBeLessThan(5);
  expect(after.peakMegabytes).toBeLessThan(400);
  return outcome;
}

describe('within 400 MB and 5 seconds, beside another user’s picture,', () => {
  test.each(loaded)('reads %s', async (_, make) => {
    expect(await workOn(await make())).toMatchObject({ status: 'fulfilled', value: { contentType: 'image/webp' } });
  });

  test.each(refused)('rejects %s: it %s', async (_, message, make) => {
    expect(await workOn(await make())).toMatchObject({
      status: 'rejected',
      reason: { fields: [{ field: 'serviceImages[0]', message: `“harm” ${message}` }] },
    });
  });
});
