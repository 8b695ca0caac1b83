import { deflateSync } from 'node:zlib';
import {
  type AvifItem,
  animatedWebp,
  av1Film,
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
} from '@handwise/sandbox/testing/picture-files';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { boxesIn } from './boxes.ts';
import { ImageError } from './format-helpers.ts';
import { sanitizeImage } from './sanitize.ts';

const secret = Buffer.from('SECRET');

/** What becomes of a file: read, or the reason why not. Everything but a refusal is thrown. */
function outcomeOf(file: Buffer) {
  try {
    return sanitizeImage(file).bytes.length > 0 ? 'read' : 'empty';
  } catch (error) {
    if (error instanceof ImageError) return error.why.reason;
    throw error;
  }
}

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
    const { bytes } = sanitizeImage(file);
    expect([bytes.includes(secret), bytes.includes('Exif'), bytes.length < file.length]).toEqual([false, false, true]);
    const pixels = (data: Buffer) => sharp(data).raw().toBuffer();
    expect((await pixels(bytes)).equals(await pixels(file))).toBe(true);
    expect(sanitizeImage(bytes).bytes.equals(bytes)).toBe(true);
  });

  test('a colour profile stays where it is small and one of colours', async () => {
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

test.each(['II', 'MM'] as const)('which way up is read from camera data of the order %s', async (order) => {
  const jpeg = await plain(60, 40).jpeg().toBuffer();
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const segment = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation, order)]));
    expect(sanitizeImage(withJpegSegments(jpeg, segment)).orientation).toBe(orientation);
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
  expect(sanitizeImage(jpeg).orientation).toBe(1);
});

test('a WebP’s camera data are read with and without the mark of a JPEG', async () => {
  const webp = await plain(60, 40).webp().toBuffer();
  for (const data of [exif(8), Buffer.concat([Buffer.from('Exif\0\0'), exif(8)])]) {
    expect(sanitizeImage(withWebpChunks(webp, [60, 40], 0x08, [], [webpChunk('EXIF', data)])).orientation).toBe(8);
  }
});

test('of an animation the first picture is taken', async () => {
  const webp = await plain(60, 40).webp().toBuffer();
  const { bytes } = sanitizeImage(animatedWebp(webp, [60, 40], 3));
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
  const { bytes } = sanitizeImage(file);
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
  expect((await rgb(sanitizeImage(file).bytes)).equals(await rgb(file))).toBe(true);
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
  const { bytes } = sanitizeImage(file);
  const [given, left] = await Promise.all([sharp(file).metadata(), sharp(bytes).metadata()]);
  expect([left.width, left.height]).toEqual([given.width, given.height]);
  expect([left.width, left.height]).toEqual([60, 120]);
  expect((await sharp(bytes).raw().toBuffer()).equals(await sharp(file).raw().toBuffer())).toBe(true);
});

async function tileOf(side: number) {
  const { header, frame, setup } = await av1Of(side, side);
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
    ['frames that are numbered', { hasIds: true }],
    ['tools for screens', { hasScreenTools: true }],
  ])('with %s is a picture', (_, film) => {
    expect(sanitizeImage(avifOf(filmOf(film))).memory).toBe(64 * 64 * 19);
  });

  test('of deep colours takes more memory', () => {
    expect(sanitizeImage(avifOf(filmOf({ isDeep: true }))).memory).toBe(64 * 64 * 28);
  });

  test.each([
    ['that is timed', { isTimed: true }],
    ['whose frame repeats another', { repeats: true }],
    ['whose frame builds on others', { type: 1 }],
    ['whose frame is not to be seen', { isShown: false }],
    ['whose frame has a size of its own', { isOfOwnSize: true }],
    ['whose numbered frame has a size of its own', { isOfOwnSize: true, hasIds: true }],
    ['for screens whose frame has a size of its own', { isOfOwnSize: true, hasScreenTools: true }],
  ])('%s is a film, which is not read', (_, film) => {
    expect(outcomeOf(avifOf(filmOf(film)))).toBe('unreadable');
  });

  const { header, frame } = av1Film();
  test.each([
    ['two headers', [header, header, frame]],
    ['a header behind the frame', [header, frame, header]],
    ['no header', [frame]],
    ['no frame', [header]],
    ['a frame before the header', [frame, header]],
    ['a unit that goes on beyond the end', [header, frame.subarray(0, -1)]],
    ['a unit of endless length', [header, Buffer.from('32ffffffffffffffffff', 'hex')]],
  ])('with %s is damaged', (_, parts) => {
    expect(outcomeOf(avifOf({ ...picture, data: Buffer.concat(parts) }))).toBe('damaged');
  });

  test('keeps its first frame and no further one', () => {
    const once = sanitizeImage(avifOf(picture)).bytes;
    expect(sanitizeImage(avifOf({ ...picture, data: Buffer.concat([header, frame, frame, frame]) })).bytes.equals(once)).toBe(true);
  });

  const alphaKind = (kind: string) => box('auxC', Buffer.from(`\0\0\0\0${kind}\0`, 'latin1'));
  const alpha = (kind: string, item = picture): AvifItem => ({
    ...item,
    properties: [...(item.properties ?? []), alphaKind(kind)],
    refs: [...(item.refs ?? []), ['auxl', 1]],
  });
  test.each(['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'])('keeps what is transparent: %s', (kind) => {
    const { bytes } = sanitizeImage(avifOf(picture, alpha(kind)));
    expect([bytes.includes(kind), bytes.includes('auxl'), bytes.toString('latin1').split(header.toString('latin1')).length]).toEqual([
      true,
      true,
      3,
    ]);
  });
  test('loses what stands beside it for other ends, such as depth', () => {
    const { bytes } = sanitizeImage(avifOf(picture, alpha('urn:mpeg:hevc:2015:auxid:2')));
    expect(bytes.equals(sanitizeImage(avifOf(picture)).bytes)).toBe(true);
  });

  const tiles = [picture, picture, picture, picture];
  test('may say what its grid is beside it or behind it', () => {
    const refs = [2, 3, 4, 5];
    const inside = sanitizeImage(avifOf(gridOf(2, 2, [120, 120], refs, { isInMeta: true }), ...tiles));
    expect(inside.bytes.equals(sanitizeImage(avifOf(gridOf(2, 2, [120, 120], refs), ...tiles)).bytes)).toBe(true);
    expect(inside.memory).toBe(120 * 120 * 19);
  });

  test.each([
    ['grid of fewer tiles than it says', [gridOf(2, 2, [120, 120], [2, 3, 4]), ...tiles]],
    ['grid of more tiles than it says', [gridOf(1, 3, [120, 120], [2, 3, 4, 5]), ...tiles]],
    ['grid of a tile that is not there', [gridOf(2, 2, [120, 120], [2, 3, 4, 9]), ...tiles]],
    ['grid of another size than it says', [gridOf(2, 2, [120, 120], [2, 3, 4, 5], { properties: [sizeProperty(128, 120)] }), ...tiles]],
    ['grid without a size', [gridOf(2, 2, [120, 120], [2, 3, 4, 5], { properties: [] }), ...tiles]],
    ['picture of another size than it says', [{ ...picture, properties: [sizeProperty(65, 64)] }]],
    ['picture of another height than it says', [{ ...picture, properties: [sizeProperty(64, 65)] }]],
    [
      'grid that is one megabyte 60 times over',
      [
        gridOf(2, 2, [120, 120], [2, 3, 4, 5], {
          data: Buffer.concat([Buffer.from([0, 0, 1, 1, 0, 120, 0, 120]), Buffer.alloc(1_000_000)]),
          repeated: 60,
        }),
        ...tiles,
      ],
    ],
    ['picture of no size', [{ ...picture, properties: [sizeProperty(0, 64)] }]],
    [
      'transparency that is four times as large',
      [picture, alpha('urn:mpeg:hevc:2015:auxid:1', gridOf(2, 2, [128, 128], [3, 4, 5, 6])), ...tiles],
    ],
  ] as [string, AvifItem[]][])('with a %s is damaged', (_, items) => {
    expect(outcomeOf(avifOf(...items))).toBe('damaged');
  });

  test.each([
    ['HEIC', [{ ...picture, type: 'hvc1' }]],
    ['other pictures laid over each other', [{ ...picture, type: 'iovl' }]],
    ['tiles of HEIC', [gridOf(2, 2, [120, 120], [2, 3, 4, 5]), ...tiles.map((tile) => ({ ...tile, type: 'hvc1' }))]],
    ['a grid of grids', [gridOf(1, 1, [64, 64], [2]), gridOf(1, 1, [64, 64], [3]), picture]],
  ] as [string, AvifItem[]][])('that is made of %s is not read', (_, items) => {
    expect(outcomeOf(avifOf(...items))).toBe('unreadable');
  });

  test('keeps how it is cut, turned and mirrored, each once, and the four bytes of its settings', () => {
    const kept = [
      box('irot', Buffer.from([1])),
      box('imir', Buffer.from([0])),
      box('clap', Buffer.alloc(32)),
      box('pixi', Buffer.from([0, 0, 0, 0, 3, 8, 8, 8])),
    ];
    const properties = [
      ...(picture.properties ?? []),
      ...kept,
      box('irot', Buffer.from([2])),
      box('SECR', secret),
      box('av1C', Buffer.from('81000c00'), secret),
    ];
    const { bytes } = sanitizeImage(avifOf({ ...picture, properties }));
    for (const one of kept) expect(bytes.includes(one)).toBe(true);
    expect([
      bytes.includes(secret),
      bytes.includes(box('irot', Buffer.from([2]))),
      bytes.includes(box('av1C', Buffer.from('8100'))),
    ]).toEqual([false, false, true]);
  });

  test('keeps colours by number beside those by profile', () => {
    const numbers = box('colr', Buffer.from('nclx'), uint(2, 12, 16, 6), Buffer.from([0x80]));
    const { bytes } = sanitizeImage(
      avifOf({ ...picture, properties: [...(picture.properties ?? []), numbers, box('colr', Buffer.from('prof'), p3)] }),
    );
    expect([bytes.includes(numbers), bytes.includes(p3)]).toEqual([true, true]);
  });
});

test('a box may say its length in eight bytes, or that it goes on to the end, and never beyond it', () => {
  const long = Buffer.concat([uint(4, 1), Buffer.from('free'), uint(4, 0, 18), Buffer.from('ab')]);
  const open = Buffer.concat([uint(4, 0), Buffer.from('mdatrest')]);
  expect(boxesIn(Buffer.concat([long, open])).map(({ type, data }) => [type, data.toString()])).toEqual([
    ['free', 'ab'],
    ['mdat', 'rest'],
  ]);
  for (const size of [7, 9]) expect(() => boxesIn(Buffer.concat([uint(4, size), Buffer.from('free')]))).toThrow('damaged');
});

describe('a PNG', () => {
  const palette = (entries: number) => pngChunk('PLTE', Buffer.alloc(entries * 3));
  const transparent = (entries: number) => pngChunk('tRNS', Buffer.alloc(entries));
  const png = blackPng(60, 40, { kind: 'palette', depth: 8 });
  const header = png.subarray(8, 33);

  test.each([
    ['256 colours, all transparent', 'read', withPngChunks(png, palette(256), transparent(256))],
    ['257 colours', 'damaged', withPngChunks(png, palette(257))],
    ['257 transparent colours', 'damaged', withPngChunks(png, palette(256), transparent(257))],
    ['two palettes', 'damaged', withPngChunks(png, palette(2), palette(2))],
    ['two headers', 'damaged', withPngChunks(png, header)],
    ['a header behind something else', 'damaged', Buffer.concat([png.subarray(0, 8), palette(2), png.subarray(8)])],
    ['a header of another length', 'damaged', Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', Buffer.alloc(14)), png.subarray(33)])],
    ['no end', 'damaged', png.subarray(0, -12)],
    ['half an end', 'damaged', png.subarray(0, -1)],
    ['more behind its end', 'read', Buffer.concat([png, pngChunk('PLTE', Buffer.alloc(3)), secret])],
  ])('with %s: %s', (_, outcome, file) => {
    expect(outcomeOf(file)).toBe(outcome);
  });
});

describe('a JPEG', () => {
  const segments = (...more: Buffer[]) => withJpegSegments(markedJpeg(), ...more);
  const exifOf = (orientation: number) => jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation)]));

  test('has the camera data that come first', () => {
    expect(sanitizeImage(segments(exifOf(3), exifOf(6))).orientation).toBe(3);
  });

  test('has a colour profile only where all its parts are there, in their order', () => {
    const [first, second, third] = jpegIn(p3, 3) as [Buffer, Buffer, Buffer];
    const hasProfile = (...parts: Buffer[]) => sanitizeImage(segments(...parts)).bytes.includes('acsp');
    expect(hasProfile(first, second, third)).toBe(true);
    const alone = jpegSegment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0\x01\x02', 'latin1'), p3]));
    expect(hasProfile(alone)).toBe(false);
    for (const parts of [[first, second], [first, third, second], [first, first, second, third], [second, third]]) expect(hasProfile(...parts)).toBe(false); // prettier-ignore
  });

  test('keeps the mark that says that its colours are not packed', async () => {
    const jpeg = await plain(60, 40).jpeg().toBuffer();
    const mark = jpegSegment(0xee, Buffer.concat([Buffer.from('Adobe\0\x64\0\0\0\0\0', 'latin1'), secret]));
    const file = withJpegSegments(jpeg, mark);
    const { bytes } = sanitizeImage(file);
    const [given, left, other] = await Promise.all([file, bytes, jpeg].map((one) => sharp(one).raw().toBuffer()));
    expect([left?.equals(given ?? secret), left?.equals(other ?? secret), bytes.includes(secret)]).toEqual([true, false, false]);
  });

  test('loses the small picture in its first mark', () => {
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

  // Two bytes for each sample of 8 × 8 blocks, as far as all of them have to be kept.
  test.each([
    ['all colours in one scan', frame(0xc0, [800, 600], [0x11, 0x11, 0x11]), [3], 800 * 600 * 0.5],
    ['a colour in each scan', frame(0xc0, [800, 600], [0x11, 0x11, 0x11]), [1, 1, 1], 800 * 600 * 3 * 2],
    ['colours half as fine', frame(0xc2, [800, 608], [0x22, 0x11, 0x11]), [3], 800 * 608 * 1.5 * 2],
    ['colours half as fine across', frame(0xc2, [800, 600], [0x21, 0x11, 0x11]), [3], 800 * 600 * 2 * 2],
    ['four colours', frame(0xc2, [800, 600], [0x11, 0x11, 0x11, 0x11]), [4], 800 * 600 * 4 * 2],
    ['blocks beyond its edges', frame(0xc2, [801, 601], [0x11]), [1], 808 * 608 * 2],
  ])('with %s takes its memory', (_, header, scans, memory) => {
    expect(sanitizeImage(jpegOf(header, ...scans.map(scan))).memory).toBeCloseTo(memory, 3);
  });

  test.each([
    ['12 bits a colour', 'unreadable', [frame(0xc1, [80, 60], [0x11], 12), scan(1)]],
    ['no loss', 'unreadable', [frame(0xc3, [80, 60], [0x11]), scan(1)]],
    ['its height at the end', 'unreadable', [frame(0xc0, [80, 60], [0x11]), scan(1), jpegSegment(0xdc, uint(2, 60))]],
    ['no width', 'damaged', [frame(0xc0, [0, 60], [0x11]), scan(1)]],
    ['no height', 'damaged', [frame(0xc0, [80, 0], [0x11]), scan(1)]],
    ['five colours', 'damaged', [frame(0xc0, [80, 60], [0x11, 0x11, 0x11, 0x11, 0x11]), scan(1)]],
    ['colours of no fineness', 'damaged', [frame(0xc0, [80, 60], [0x01]), scan(1)]],
    ['colours five times as fine', 'damaged', [frame(0xc0, [80, 60], [0x15]), scan(1)]],
    ['two frames', 'damaged', [frame(0xc0, [80, 60], [0x11]), frame(0xc0, [80, 60], [0x11]), scan(1)]],
    ['no frame', 'damaged', [jpegSegment(0xfe, secret)]],
    ['no scan', 'damaged', [frame(0xc0, [80, 60], [0x11])]],
    ['a scan before its frame', 'damaged', [scan(1), frame(0xc0, [80, 60], [0x11])]],
    ['a segment of less than nothing', 'damaged', [frame(0xc0, [80, 60], [0x11]), Buffer.from([0xff, 0xfe, 0, 1]), scan(1)]],
    ['a second start', 'unreadable', [frame(0xc0, [80, 60], [0x11]), Buffer.from([0xff, 0xd8]), scan(1)]],
    ['noise between its segments', 'damaged', [frame(0xc0, [80, 60], [0x11]), secret, scan(1)]],
    ['filling before its segments', 'read', [frame(0xc0, [80, 60], [0x11]), Buffer.from([0xff, 0xff, 0xff]), scan(1)]],
  ])('with %s: %s', (_, outcome, parts) => {
    expect(outcomeOf(jpegOf(...parts))).toBe(outcome);
  });
});

describe('a WebP', async () => {
  const webp = await plain(60, 40).webp().toBuffer();

  test.each([
    ['that says it is longer than it is', webp.subarray(0, -2)],
    [
      'whose picture says it is longer than it is',
      withWebpChunks(Buffer.concat([webp.subarray(0, 12), Buffer.from('VP8 \xff\xff\0\0', 'latin1'), webp.subarray(20)]), [60, 40], 0, []),
    ],
    ['without a picture', withWebpChunks(webp.subarray(0, 12), [60, 40], 0, [webpChunk('XMP ', secret)])],
    ['whose picture has another mark', Buffer.from(webp).fill(0, 23, 26)],
    ['whose picture has no width', Buffer.from(webp).fill(0, 26, 28)],
  ])('%s is damaged', (_, file) => {
    expect(outcomeOf(file)).toBe('damaged');
  });

  test('may have parts of odd length', () => {
    const { bytes } = sanitizeImage(withWebpChunks(webp, [60, 40], 0x04, [webpChunk('XMP ', Buffer.from('odd'))]));
    expect(bytes.equals(sanitizeImage(webp).bytes)).toBe(true);
  });

  test('says in its size how it is to be shown, which is no part of it', () => {
    const scaled = Buffer.from(webp);
    scaled[27] = (scaled[27] ?? 0) | 0xc0;
    scaled[29] = (scaled[29] ?? 0) | 0xc0;
    expect(sanitizeImage(scaled).memory).toBe(60 * 40 * 1.5);
  });

  test('says how wide and how high it is, whichever way it is packed', async () => {
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

  test('is not made transparent by what stands behind its picture', () => {
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
  const { memory } = sanitizeImage(await make());
  expect(memory / bytes).toBeCloseTo(1, 1);
});

test('files of one byte less or with one byte changed are read or refused, and never anything else', async () => {
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

test('a JPEG that ends within its pixels, or without its last mark, is damaged before a decoder sees it', async () => {
  const whole = await plain(200, 200).jpeg().toBuffer();
  expect(outcomeOf(whole)).toBe('read');
  for (const missing of [2, 40, 200]) expect([missing, outcomeOf(whole.subarray(0, -missing))]).toEqual([missing, 'damaged']);
});
