import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  type AvifItem,
  animatedWebp,
  av1Film,
  createAv1,
  createAvif,
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
} from '@handwise/sandbox/testing/picture-files';
import { listBoxes } from './boxes.ts';
import { ImageError } from './format-helpers.ts';
import { sanitizeImage } from './sanitize.ts';

const secret = Buffer.from('SECRET');

/** The outcome for a file: `read`, or the reason of the rejection. Other errors are thrown. */
function outcomeOf(file: Buffer) {
  try {
    return sanitizeImage(file).bytes.length > 0 ? 'read' : 'empty';
  } catch (error) {
    if (error instanceof ImageError) return error.why.reason;
    throw error;
  }
}

/** The start of EXIF data with an orientation. */
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
/** A colour profile with this many bytes. */
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
    const { header, frame, setup } = await createAv1(60, 40);
    const note = Buffer.concat([Buffer.from([0x2a, secret.length]), secret]);
    const properties = [
      sizeProperty(60, 40),
      Buffer.concat([setup, Buffer.alloc(0)]),
      box('colr', Buffer.from('prof'), profile),
      box('SECR', secret),
    ];
    return createAvif(
      { type: 'av01', data: Buffer.concat([header, note, frame, note]), properties },
      { type: 'Exif', data: Buffer.concat([uint(4, 0), exif(6)]), refs: [['cdsc', 1]] },
      { type: 'mime', data: secret, refs: [['cdsc', 1]] },
    );
  },
};

describe.each(['jpeg', 'png', 'webp', 'avif'] as const)('of a %s', (format) => {
  test('removes comments, camera data, names and trailing data, and keeps the pixels', async () => {
    const file = await makers[format]();
    expect(file.includes(secret)).toBe(true);
    const { bytes } = sanitizeImage(file);
    expect([bytes.includes(secret), bytes.includes('Exif'), bytes.length < file.length]).toEqual([false, false, true]);
    const pixels = (data: Buffer) => sharp(data).raw().toBuffer();
    expect((await pixels(bytes)).equals(await pixels(file))).toBe(true);
    expect(sanitizeImage(bytes).bytes.equals(bytes)).toBe(true);
  });

  test('keeps a small valid colour profile only', async () => {
    expect(await profileIn(sanitizeImage(await makers[format]()).bytes)).toEqual(p3);
    const { bytes: clean } = sanitizeImage(await makers[format](Buffer.concat([p3, secret])));
    expect([await profileIn(clean), clean.includes(secret)]).toEqual([p3, false]);
    const largest = padded(64_000);
    expect(await profileIn(sanitizeImage(await makers[format](largest)).bytes)).toEqual(largest);
    const others = Buffer.from(p3).fill('ACSP', 36, 40);
    for (const profile of [others, padded(64_001), padded(1_000, 'CMYK'), Buffer.alloc(1_000), p3.subarray(0, 300)]) {
      const { bytes } = sanitizeImage(await makers[format](profile));
      expect([await profileIn(bytes), bytes.includes('acsp')]).toEqual([undefined, false]);
    }
  });
});

test.each(['II', 'MM'] as const)('reads the orientation from camera data in byte order %s', async (order) => {
  const jpeg = await plain(60, 40).jpeg().toBuffer();
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const segment = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation, order)]));
    expect(sanitizeImage(withJpegSegments(jpeg, segment)).orientation).toBe(orientation);
  }
});

test.each([
  ['of unknown byte order', Buffer.concat([Buffer.from('XX'), exif(6).subarray(2)])],
  ['that are truncated', exif(6).subarray(0, 24)],
  ['that point outside', Buffer.concat([exif(6).subarray(0, 4), uint(4, 4_000_000_000)])],
  ['with orientation 0', exif(0)],
  ['with orientation 9', exif(9)],
  ['with another number type', Buffer.from(exif(6)).fill(4, 25, 26)],
  ['without content', Buffer.alloc(0)],
])('camera data %s count as upright', async (_, data) => {
  const jpeg = withJpegSegments(await plain(60, 40).jpeg().toBuffer(), jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), data])));
  expect(sanitizeImage(jpeg).orientation).toBe(1);
});

test('reads a WebP’s camera data with and without the JPEG prefix', async () => {
  const webp = await plain(60, 40).webp().toBuffer();
  for (const data of [exif(8), Buffer.concat([Buffer.from('Exif\0\0'), exif(8)])]) {
    expect(sanitizeImage(withWebpChunks(webp, [60, 40], 0x08, [], [webpChunk('EXIF', data)])).orientation).toBe(8);
  }
});

test('takes the first picture of an animation', async () => {
  const webp = await plain(60, 40).webp().toBuffer();
  const { bytes } = sanitizeImage(animatedWebp(webp, [60, 40], 3));
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 60, height: 40, format: 'webp' });
  expect((await sharp(bytes).metadata()).pages).toBeUndefined();
});

test.each([
  ['a PNG', () => plain(60, 40, 4).png().toBuffer()],
  ['a PNG with a palette', () => plain(60, 40, 4).png({ palette: true }).toBuffer()],
  ['a WebP', () => plain(60, 40, 4).webp().toBuffer()],
  ['a lossless WebP', () => plain(60, 40, 4).webp({ lossless: true }).toBuffer()],
  ['an AVIF', () => plain(60, 40, 4).avif().toBuffer()],
])('%s stays transparent', async (_, make) => {
  const file = await make();
  const { bytes } = sanitizeImage(file);
  expect(await sharp(bytes).metadata()).toMatchObject({ hasAlpha: true });
  expect((await sharp(bytes).ensureAlpha().raw().toBuffer()).equals(await sharp(file).ensureAlpha().raw().toBuffer())).toBe(true);
});

test.each([
  ['in grey', () => plain(60, 40).greyscale().jpeg().toBuffer()],
  ['in CMYK', () => plain(60, 40).toColourspace('cmyk').jpeg().toBuffer()],
  ['in several scans', () => plain(60, 40).jpeg({ progressive: true }).toBuffer()],
  ['with restart markers', async () => markedJpeg()],
])('a JPEG %s keeps its colours', async (_, make) => {
  const file = await make();
  const rgb = (data: Buffer) => sharp(data).toColourspace('srgb').raw().toBuffer();
  expect((await rgb(sanitizeImage(file).bytes)).equals(await rgb(file))).toBe(true);
});

/** Four grey blocks, each followed by a restart marker. */
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

test('reads an AVIF of tiles with rotation and crop', async () => {
  const tile = { type: 'av01', ...(await tileOf(64)) };
  const grid = {
    type: 'grid',
    data: Buffer.from([0, 0, 0, 1, 0, 120, 0, 60]),
    properties: [sizeProperty(120, 60), box('irot', Buffer.from([1]))],
  };
  const file = createAvif({ ...grid, refs: [['dimg', 2, 3]] }, tile, tile);
  const { bytes } = sanitizeImage(file);
  const [original, cleaned] = await Promise.all([sharp(file).metadata(), sharp(bytes).metadata()]);
  expect([cleaned.width, cleaned.height]).toEqual([original.width, original.height]);
  expect([cleaned.width, cleaned.height]).toEqual([60, 120]);
  expect((await sharp(bytes).raw().toBuffer()).equals(await sharp(file).raw().toBuffer())).toBe(true);
});

async function tileOf(side: number) {
  const { header, frame, setup } = await createAv1(side, side);
  return { data: Buffer.concat([header, frame]), properties: [sizeProperty(side, side), setup] };
}

describe('an AVIF', () => {
  const filmOf = (film: Parameters<typeof av1Film>[0]): AvifItem => {
    const { header, frame } = av1Film(film);
    return { type: 'av01', data: Buffer.concat([header, frame]), properties: [sizeProperty(64, 64)] };
  };
  const picture = filmOf({});
  const gridOf = (rows: number, columns: number, size: [number, number], tiles: number[], more: Partial<AvifItem> = {}): AvifItem => ({
    type: 'grid',
    data: Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), uint(2, ...size)]),
    properties: [sizeProperty(...size)],
    refs: [['dimg', ...tiles]],
    ...more,
  });

  test.each([
    ['one frame', {}],
    ['numbered frames', { hasIds: true }],
    ['screen content tools', { hasScreenTools: true }],
  ])('with %s is a picture', (_, film) => {
    expect(sanitizeImage(createAvif(filmOf(film))).memory).toBe(64 * 64 * 19);
  });

  test('with deep colours takes more memory', () => {
    expect(sanitizeImage(createAvif(filmOf({ isDeep: true }))).memory).toBe(64 * 64 * 28);
  });

  test.each([
    ['with timing', { isTimed: true }],
    ['whose frame repeats another', { repeats: true }],
    ['whose frame depends on others', { type: 1 }],
    ['whose frame is hidden', { isShown: false }],
    ['whose frame has a size of its own', { isOfOwnSize: true }],
    ['whose numbered frame has a size of its own', { isOfOwnSize: true, hasIds: true }],
    ['for screens whose frame has a size of its own', { isOfOwnSize: true, hasScreenTools: true }],
  ])('%s is a video, which is rejected', (_, film) => {
    expect(outcomeOf(createAvif(filmOf(film)))).toBe('unreadable');
  });

  const { header, frame } = av1Film();
  test.each([
    ['two headers', [header, header, frame]],
    ['a header after the frame', [header, frame, header]],
    ['no header', [frame]],
    ['no frame', [header]],
    ['a frame before the header', [frame, header]],
    ['a unit that exceeds the end', [header, frame.subarray(0, -1)]],
    ['a unit with an unterminated length', [header, Buffer.from('32ffffffffffffffffff', 'hex')]],
  ])('with %s is damaged', (_, parts) => {
    expect(outcomeOf(createAvif({ ...picture, data: Buffer.concat(parts) }))).toBe('damaged');
  });

  test('keeps its first frame only', () => {
    const once = sanitizeImage(createAvif(picture)).bytes;
    expect(sanitizeImage(createAvif({ ...picture, data: Buffer.concat([header, frame, frame, frame]) })).bytes.equals(once)).toBe(true);
  });

  const alphaKind = (kind: string) => box('auxC', Buffer.from(`\0\0\0\0${kind}\0`, 'latin1'));
  const alpha = (kind: string, item = picture): AvifItem => ({
    ...item,
    properties: [...(item.properties ?? []), alphaKind(kind)],
    refs: [...(item.refs ?? []), ['auxl', 1]],
  });
  test.each(['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'])('keeps transparency: %s', (kind) => {
    const { bytes } = sanitizeImage(createAvif(picture, alpha(kind)));
    expect([bytes.includes(kind), bytes.includes('auxl'), bytes.toString('latin1').split(header.toString('latin1')).length]).toEqual([
      true,
      true,
      3,
    ]);
  });
  test('loses auxiliary pictures other than transparency, such as depth', () => {
    const { bytes } = sanitizeImage(createAvif(picture, alpha('urn:mpeg:hevc:2015:auxid:2')));
    expect(bytes.equals(sanitizeImage(createAvif(picture)).bytes)).toBe(true);
  });

  const tiles = [picture, picture, picture, picture];
  test('may have its grid description inline or in its data', () => {
    const refs = [2, 3, 4, 5];
    const inside = sanitizeImage(createAvif(gridOf(2, 2, [120, 120], refs, { isInMeta: true }), ...tiles));
    expect(inside.bytes.equals(sanitizeImage(createAvif(gridOf(2, 2, [120, 120], refs), ...tiles)).bytes)).toBe(true);
    expect(inside.memory).toBe(120 * 120 * 19);
  });

  test.each([
    ['grid with fewer tiles than declared', [gridOf(2, 2, [120, 120], [2, 3, 4]), ...tiles]],
    ['grid with more tiles than declared', [gridOf(1, 3, [120, 120], [2, 3, 4, 5]), ...tiles]],
    ['grid with a missing tile', [gridOf(2, 2, [120, 120], [2, 3, 4, 9]), ...tiles]],
    ['grid of another size than declared', [gridOf(2, 2, [120, 120], [2, 3, 4, 5], { properties: [sizeProperty(128, 120)] }), ...tiles]],
    ['grid without a size', [gridOf(2, 2, [120, 120], [2, 3, 4, 5], { properties: [] }), ...tiles]],
    ['picture of another size than declared', [{ ...picture, properties: [sizeProperty(65, 64)] }]],
    ['picture of another height than declared', [{ ...picture, properties: [sizeProperty(64, 65)] }]],
    [
      'grid that repeats one megabyte 60 times',
      [
        gridOf(2, 2, [120, 120], [2, 3, 4, 5], {
          data: Buffer.concat([Buffer.from([0, 0, 1, 1, 0, 120, 0, 120]), Buffer.alloc(1_000_000)]),
          repeated: 60,
        }),
        ...tiles,
      ],
    ],
    ['picture of size 0', [{ ...picture, properties: [sizeProperty(0, 64)] }]],
    [
      'transparency that is four times as large',
      [picture, alpha('urn:mpeg:hevc:2015:auxid:1', gridOf(2, 2, [128, 128], [3, 4, 5, 6])), ...tiles],
    ],
  ] as [string, AvifItem[]][])('with a %s is damaged', (_, items) => {
    expect(outcomeOf(createAvif(...items))).toBe('damaged');
  });

  test.each([
    ['HEIC', [{ ...picture, type: 'hvc1' }]],
    ['other pictures laid over each other', [{ ...picture, type: 'iovl' }]],
    ['tiles of HEIC', [gridOf(2, 2, [120, 120], [2, 3, 4, 5]), ...tiles.map((tile) => ({ ...tile, type: 'hvc1' }))]],
    ['a grid of grids', [gridOf(1, 1, [64, 64], [2]), gridOf(1, 1, [64, 64], [3]), picture]],
  ] as [string, AvifItem[]][])('that is made of %s is not read', (_, items) => {
    expect(outcomeOf(createAvif(...items))).toBe('unreadable');
  });

  test('keeps crop, rotation and mirroring, each once, and the four bytes of its configuration', () => {
    const allowed = [
      box('irot', Buffer.from([1])),
      box('imir', Buffer.from([0])),
      box('clap', Buffer.alloc(32)),
      box('pixi', Buffer.from([0, 0, 0, 0, 3, 8, 8, 8])),
    ];
    const properties = [
      ...(picture.properties ?? []),
      ...allowed,
      box('irot', Buffer.from([2])),
      box('SECR', secret),
      box('av1C', Buffer.from('81000c00'), secret),
    ];
    const { bytes } = sanitizeImage(createAvif({ ...picture, properties }));
    for (const one of allowed) expect(bytes.includes(one)).toBe(true);
    expect([
      bytes.includes(secret),
      bytes.includes(box('irot', Buffer.from([2]))),
      bytes.includes(box('av1C', Buffer.from('8100'))),
    ]).toEqual([false, false, true]);
  });

  test('keeps numeric colour information beside a profile', () => {
    const numbers = box('colr', Buffer.from('nclx'), uint(2, 12, 16, 6), Buffer.from([0x80]));
    const { bytes } = sanitizeImage(
      createAvif({ ...picture, properties: [...(picture.properties ?? []), numbers, box('colr', Buffer.from('prof'), p3)] }),
    );
    expect([bytes.includes(numbers), bytes.includes(p3)]).toEqual([true, true]);
  });
});

test('a box may have a length of eight bytes or extend to the end, never beyond it', () => {
  const long = Buffer.concat([uint(4, 1), Buffer.from('free'), uint(4, 0, 18), Buffer.from('ab')]);
  const open = Buffer.concat([uint(4, 0), Buffer.from('mdatrest')]);
  expect(listBoxes(Buffer.concat([long, open])).map(({ type, data }) => [type, data.toString()])).toEqual([
    ['free', 'ab'],
    ['mdat', 'rest'],
  ]);
  for (const size of [7, 9]) expect(() => listBoxes(Buffer.concat([uint(4, size), Buffer.from('free')]))).toThrow('damaged');
});

describe('a PNG', () => {
  const palette = (entries: number) => pngChunk('PLTE', Buffer.alloc(entries * 3));
  const transparent = (entries: number) => pngChunk('tRNS', Buffer.alloc(entries));
  const png = blackPng(60, 40, { kind: 'palette', depth: 8 });
  const header = png.subarray(8, 33);

  test.each([
    ['256 colours, all transparent', 'read', withPngChunks(png, palette(256), transparent(256))],
    ['257 colours', 'damaged', withPngChunks(png, palette(257))],
    ['257 transparent colours', 'read', withPngChunks(png, palette(256), transparent(257))],
    ['two palettes', 'damaged', withPngChunks(png, palette(2), palette(2))],
    ['two headers', 'damaged', withPngChunks(png, header)],
    ['a header after another chunk', 'damaged', Buffer.concat([png.subarray(0, 8), palette(2), png.subarray(8)])],
    ['a header of another length', 'damaged', Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', Buffer.alloc(14)), png.subarray(33)])],
    ['no end', 'damaged', png.subarray(0, -12)],
    ['half an end', 'damaged', png.subarray(0, -1)],
    ['data after its end', 'read', Buffer.concat([png, pngChunk('PLTE', Buffer.alloc(3)), secret])],
  ])('with %s: %s', (_, outcome, file) => {
    expect(outcomeOf(file)).toBe(outcome);
  });
});

describe('a JPEG', () => {
  const segments = (...more: Buffer[]) => withJpegSegments(markedJpeg(), ...more);
  const exifOf = (orientation: number) => jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation)]));

  test('uses the first camera data', () => {
    expect(sanitizeImage(segments(exifOf(3), exifOf(6))).orientation).toBe(3);
  });

  test('keeps a colour profile only if all its parts are in order', () => {
    const [first, second, third] = jpegIn(p3, 3) as [Buffer, Buffer, Buffer];
    const hasProfile = (...parts: Buffer[]) => sanitizeImage(segments(...parts)).bytes.includes('acsp');
    expect(hasProfile(first, second, third)).toBe(true);
    const alone = jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x02', 'latin1'), p3]));
    expect(hasProfile(alone)).toBe(false);
    for (const parts of [[first, second], [first, third, second], [first, first, second, third], [second, third]]) expect(hasProfile(...parts)).toBe(false); // prettier-ignore
  });

  test('keeps the marker of untransformed colours', async () => {
    const jpeg = await plain(60, 40).jpeg().toBuffer();
    const mark = jpegSegment(0xee, Buffer.concat([Buffer.from('Adobe\0\x64\0\0\0\0\0', 'latin1'), secret]));
    const file = withJpegSegments(jpeg, mark);
    const { bytes } = sanitizeImage(file);
    const [original, cleaned, other] = await Promise.all([file, bytes, jpeg].map((one) => sharp(one).raw().toBuffer()));
    expect([cleaned?.equals(original ?? secret), cleaned?.equals(other ?? secret), bytes.includes(secret)]).toEqual([true, false, false]);
  });

  test('loses the thumbnail of its first marker', () => {
    const mark = Buffer.concat([Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\x01\x02', 'latin1'), secret]);
    const { bytes } = sanitizeImage(segments(jpegSegment(0xe0, mark)));
    expect([bytes.includes('JFIF'), bytes.includes(secret)]).toEqual([true, false]);
  });

  const frame = (marker: number, [width, height]: [number, number], components: number[], precision = 8) =>
    jpegSegment(
      marker,
      Buffer.concat([
        Buffer.from([precision]),
        uint(2, height, width),
        Buffer.from([components.length, ...components.flatMap((both, index) => [index, both, 0])]),
      ]),
    );
  const scan = (components: number) =>
    jpegSegment(0xda, Buffer.from([components, ...Array.from({ length: components }, (_, index) => [index, 0]).flat(), 0, 63, 0]));
  const jpegOf = (...parts: Buffer[]) => Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]);

  // Two bytes for each sample of the 8 × 8 blocks that must be buffered.
  test.each([
    ['all colours in one scan', frame(0xc0, [800, 600], [0x11, 0x11, 0x11]), [3], 800 * 600 * 0.5],
    ['a colour in each scan', frame(0xc0, [800, 600], [0x11, 0x11, 0x11]), [1, 1, 1], 800 * 600 * 3 * 2],
    ['colours at half resolution', frame(0xc2, [800, 608], [0x22, 0x11, 0x11]), [3], 800 * 608 * 1.5 * 2],
    ['colours at half horizontal resolution', frame(0xc2, [800, 600], [0x21, 0x11, 0x11]), [3], 800 * 600 * 2 * 2],
    ['four colours', frame(0xc2, [800, 600], [0x11, 0x11, 0x11, 0x11]), [4], 800 * 600 * 4 * 2],
    ['blocks beyond its edges', frame(0xc2, [801, 601], [0x11]), [1], 808 * 608 * 2],
  ])('with %s takes its memory', (_, header, scans, memory) => {
    expect(sanitizeImage(jpegOf(header, ...scans.map(scan))).memory).toBeCloseTo(memory, 3);
  });

  test.each([
    ['12 bits a colour', 'unreadable', [frame(0xc1, [80, 60], [0x11], 12), scan(1)]],
    ['lossless coding', 'unreadable', [frame(0xc3, [80, 60], [0x11]), scan(1)]],
    ['its height at the end', 'read', [frame(0xc0, [80, 60], [0x11]), scan(1), jpegSegment(0xdc, uint(2, 60))]],
    ['no width', 'damaged', [frame(0xc0, [0, 60], [0x11]), scan(1)]],
    ['no height', 'damaged', [frame(0xc0, [80, 0], [0x11]), scan(1)]],
    ['five colours', 'damaged', [frame(0xc0, [80, 60], [0x11, 0x11, 0x11, 0x11, 0x11]), scan(1)]],
    ['colours of resolution 0', 'damaged', [frame(0xc0, [80, 60], [0x01]), scan(1)]],
    ['colours at five times the resolution', 'damaged', [frame(0xc0, [80, 60], [0x15]), scan(1)]],
    ['two frames', 'damaged', [frame(0xc0, [80, 60], [0x11]), frame(0xc0, [80, 60], [0x11]), scan(1)]],
    ['no frame', 'damaged', [jpegSegment(0xfe, secret)]],
    ['no scan', 'damaged', [frame(0xc0, [80, 60], [0x11])]],
    ['a scan before its frame', 'damaged', [scan(1), frame(0xc0, [80, 60], [0x11])]],
    ['a segment of negative length', 'damaged', [frame(0xc0, [80, 60], [0x11]), Buffer.from([0xff, 0xfe, 0, 1]), scan(1)]],
    ['a second start', 'unreadable', [frame(0xc0, [80, 60], [0x11]), Buffer.from([0xff, 0xd8]), scan(1)]],
    ['noise between its segments', 'read', [frame(0xc0, [80, 60], [0x11]), secret, scan(1)]],
    ['fill bytes before its segments', 'read', [frame(0xc0, [80, 60], [0x11]), Buffer.from([0xff, 0xff, 0xff]), scan(1)]],
  ])('with %s: %s', (_, outcome, parts) => {
    expect(outcomeOf(jpegOf(...parts))).toBe(outcome);
  });
});

describe('a WebP', async () => {
  const webp = await plain(60, 40).webp().toBuffer();

  test.each([
    ['that declares a larger length', webp.subarray(0, -2)],
    [
      'whose picture declares a larger length',
      withWebpChunks(Buffer.concat([webp.subarray(0, 12), Buffer.from('VP8 \xff\xff\0\0', 'latin1'), webp.subarray(20)]), [60, 40], 0, []),
    ],
    ['without a picture', withWebpChunks(webp.subarray(0, 12), [60, 40], 0, [webpChunk('XMP ', secret)])],
    ['whose picture has another signature', Buffer.from(webp).fill(0, 23, 26)],
    ['whose picture has no width', Buffer.from(webp).fill(0, 26, 28)],
  ])('%s is damaged', (_, file) => {
    expect(outcomeOf(file)).toBe('damaged');
  });

  test('may have chunks of odd length', () => {
    const { bytes } = sanitizeImage(withWebpChunks(webp, [60, 40], 0x04, [webpChunk('XMP ', Buffer.from('odd'))]));
    expect(bytes.equals(sanitizeImage(webp).bytes)).toBe(true);
  });

  test('ignores the scaling bits in its size', () => {
    const scaled = Buffer.from(webp);
    scaled[27] = (scaled[27] ?? 0) | 0xc0;
    scaled[29] = (scaled[29] ?? 0) | 0xc0;
    expect(sanitizeImage(scaled).memory).toBe(60 * 40 * 1.5);
  });

  test('has its width and height in both codings', async () => {
    for (const options of [{}, { lossless: true }]) {
      const { bytes } = sanitizeImage(await plain(60, 40, 4).webp(options).toBuffer());
      expect([bytes.toString('latin1', 12, 16), bytes.readUIntLE(24, 3), bytes.readUIntLE(27, 3), (bytes[20] ?? 0) & 0x10]).toEqual([
        'VP8X',
        59,
        39,
        0x10,
      ]);
    }
  });

  test('is not made transparent by chunks after its picture', () => {
    const file = withWebpChunks(webp, [60, 40], 0x10, [], [webpChunk('ALPH', Buffer.alloc(9))]);
    expect(sanitizeImage(file).bytes.equals(sanitizeImage(webp).bytes)).toBe(true);
  });

  test('that is an animation is not made transparent by its later pictures', async () => {
    const [opaque, clear] = [animatedWebp(webp, [60, 40], 1), await plain(60, 40, 4).webp().toBuffer()];
    const place = Buffer.alloc(16);
    const later = webpChunk('ANMF', Buffer.concat([place, clear.subarray(30)]));
    const both = webpChunk('RIFF', Buffer.concat([opaque.subarray(8), later]));
    expect(clear.subarray(30, 34).toString()).toBe('ALPH');
    expect(sanitizeImage(both).bytes.equals(sanitizeImage(webp).bytes)).toBe(true);
  });
});

// The memory of decoding, as measured, decides what may run at the same time.
test.each([
  ['a sequential PNG', () => blackPng(3_000, 3_000, { kind: 'rgba', depth: 16 }), 48e6],
  ['an interlaced PNG', () => blackPng(3_000, 3_000, { kind: 'rgba', depth: 16, interlaced: true }), 86.4e6],
  ['a JPEG of one scan', () => plain(3_000, 3_000).jpeg().toBuffer(), 4.5e6],
  ['a progressive JPEG', () => plain(3_000, 3_000).jpeg({ progressive: true, chromaSubsampling: '4:2:0' }).toBuffer(), 27.1e6],
  ['a WebP', () => plain(3_000, 3_000).webp({ effort: 0 }).toBuffer(), 13.5e6],
  ['a lossless WebP', () => plain(3_000, 3_000).webp({ lossless: true, effort: 0 }).toBuffer(), 40.5e6],
  ['a transparent WebP', () => plain(3_000, 3_000, 4).webp({ effort: 0 }).toBuffer(), 45e6],
  ['an AVIF', () => plain(3_000, 3_000).avif({ effort: 0 }).toBuffer(), 171e6],
])('estimates the memory of %s', async (_, make, bytes) => {
  const { memory } = sanitizeImage(await make());
  expect(memory / bytes).toBeCloseTo(1, 1);
});

test('files with a byte removed or changed are read or rejected, without other errors', async () => {
  for (const make of Object.values(makers)) {
    const file = await make();
    const outcomes = new Set<unknown>();
    for (let at = 0; at < Math.min(file.length, 1_500); at += 1) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      for (const one of [changed, file.subarray(0, at)]) outcomes.add(outcomeOf(one) === 'read' ? 'read' : 'refused');
    }
    expect(outcomes).toEqual(new Set(['read', 'refused']));
  }
});

test('leaves it to the decoder whether a JPEG without its end is whole', async () => {
  const whole = await plain(200, 200).jpeg().toBuffer();
  const isDecoded = (file: Buffer) =>
    sharp(sanitizeImage(file).bytes, { failOn: 'error' })
      .raw()
      .toBuffer()
      .then(
        () => true,
        () => false,
      );
  expect(await isDecoded(whole)).toBe(true);
  for (const missing of [2, 40, 200]) expect([missing, await isDecoded(whole.subarray(0, -missing))]).toEqual([missing, false]);
});

describe('accepts what the decoder accepts, and removes what it skips', async () => {
  const jpeg = await plain(200, 200).jpeg().toBuffer();
  const png = blackPng(60, 40, { kind: 'palette', depth: 8 });
  const webp = await plain(60, 40).webp().toBuffer();
  const segmentAt = jpeg.indexOf(Buffer.from([0xff, 0xdb]));
  const insert = (at: number, ...more: Buffer[]) => Buffer.concat([jpeg.subarray(0, at), ...more, jpeg.subarray(at)]);
  const marker = (code: number) => Buffer.from([0xff, code]);
  const transparent = (entries: number) => pngChunk('tRNS', Buffer.alloc(entries));
  const palette = pngChunk('PLTE', Buffer.alloc(768));
  test.each([
    ['a JPEG with bytes between segments', insert(segmentAt, secret), true],
    ['a JPEG with bytes after its beginning', insert(2, secret), true],
    ['a JPEG with bytes that look like the end of a marker', insert(segmentAt, secret, Buffer.from([0xff, 0, 0xff, 0xff, 0])), true],
    ['a JPEG with bytes before its end', insert(jpeg.length - 2, secret), true],
    ['a JPEG with a restart outside of a scan', insert(segmentAt, marker(0xd0), secret), true],
    ['a JPEG with a mark of temporary files', insert(segmentAt, marker(0x01), secret), true],
    ['a JPEG with arithmetic conditioning', insert(segmentAt, jpegSegment(0xcc, Buffer.from([0, 0]))), true],
    ['a JPEG with its number of lines', insert(segmentAt, jpegSegment(0xdc, Buffer.from([0, 200]))), true],
    ['a JPEG with an unknown segment', insert(segmentAt, jpegSegment(0xf0, secret)), false],
    ['a JPEG without its end', jpeg.subarray(0, -2), false],
    ['a JPEG that is cut off', jpeg.subarray(0, -40), false],
    ['a JPEG with a film in place of its end', Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(50)]), true],
    ['a PNG with two transparencies', withPngChunks(png, palette, transparent(2), transparent(2)), true],
    ['a PNG with too many transparent colours', withPngChunks(png, palette, transparent(257)), true],
    ['a PNG with two palettes', withPngChunks(png, palette, palette), false],
    ['a PNG without its end', png.subarray(0, -12), false],
    ['a WebP that is cut off after its picture', Buffer.concat([webp, Buffer.from('EXIF\xff\0\0\0', 'latin1')]), true],
    ['a WebP that is cut off in its picture', webp.subarray(0, -10), false],
    // A phone's, with 18 bytes between segments.
    ['pixel-18-stray-bytes.jpg', await readFile(join(import.meta.dirname, '../../../test/pictures/pixel-18-stray-bytes.jpg')), true],
  ])('%s', async (_, file, isDecoded) => {
    const decode = async (bytes: Buffer) => sharp(bytes, { failOn: 'error' }).raw().toBuffer();
    const decoded = await decode(file).catch(() => null);
    const bytes = outcomeOf(file) === 'read' ? sanitizeImage(file).bytes : Buffer.alloc(0);
    const cleaned = await decode(bytes).catch(() => null);
    expect([decoded !== null, cleaned !== null]).toEqual([isDecoded, isDecoded]);
    expect(cleaned?.equals(decoded ?? secret) ?? !isDecoded).toBe(true);
    // Within a scan nothing tells bytes of the picture from others.
    expect(bytes.subarray(0, -10).includes(secret)).toBe(false);
  });
});
