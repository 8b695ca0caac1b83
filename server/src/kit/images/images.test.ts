import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { createAv1, createAvif, blackPng, pngChunk, sizeProperty, webpChunk, createWebp } from '@handwise/sandbox/testing/picture-files';
import { processLogo, processPicture, processPictures } from './images.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-images-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const plain = (width: number, height: number, background = '#c83232') => sharp({ create: { width, height, channels: 3, background } });
const noisy = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 30 } } });

let made = 0;
function upload(data: Buffer, filename = 'van.jpg') {
  const path = join(dir, String(++made));
  writeFileSync(path, data);
  return { path, fieldPath: 'serviceImages[2]', filename };
}

async function pixel(image: Sharp, left: number, top: number) {
  const { data } = await image.extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data];
}

const close = (to: number[], by = 12) => to.map((value) => expect.toSatisfy((one: number) => Math.abs(one - value) <= by));

test('converts a photo to each width and format, with the widths in the file names', async () => {
  const photo = await processPicture(upload(await noisy(2000, 1500).jpeg().toBuffer()));
  expect(photo).toMatchObject({ widths: [400, 800, 1600], formats: ['avif', 'webp'], width: 1600, height: 1200 });
  expect(photo.files.map((file) => file.suffix).toSorted()).toEqual(
    ['-400.avif', '-400.webp', '-800.avif', '-800.webp', '-1600.avif', '-1600.webp'].toSorted(),
  );
  for (const { suffix, data, contentType } of photo.files) {
    const [, width, format] = /^-(\d+)\.(\w+)$/.exec(suffix) ?? [];
    const found = await sharp(data).metadata();
    expect([found.width, found.height, `image/${found.compression === 'av1' ? 'avif' : found.format}`]).toEqual([
      Number(width),
      Number(width) * 0.75,
      contentType,
    ]);
    expect(contentType).toBe(`image/${format}`);
  }
  expect(Buffer.from(photo.thumbhash, 'base64').length).toBeGreaterThan(4);
});

test.each([
  ['a small picture is not enlarged', 300, 200, [300], 200],
  ['a picture between two widths is stored in its own width too', 1000, 500, [400, 800, 1000], 500],
  ['a width close to its own is omitted', 810, 600, [400, 810], 600],
  ['a very tall picture is limited in height', 1000, 8000, [300], 2400],
])('%s', async (_, width, height, widths, storedHeight) => {
  const photo = await processPicture(upload(await plain(width, height).png().toBuffer()));
  expect(photo).toMatchObject({ widths, width: widths.at(-1), height: storedHeight });
});

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('reads a %s', async (format) => {
  const photo = await processPicture(upload(await plain(60, 40).toFormat(format).toBuffer()));
  const webp = photo.files.find((file) => file.contentType === 'image/webp');
  expect(await pixel(sharp(webp?.data), 30, 20)).toEqual(close([200, 50, 50]));
});

test('turns a sideways photo upright and removes camera and location from every file', async () => {
  const right = await plain(450, 600, '#3232c8').png().toBuffer();
  const photo = await plain(900, 600)
    .composite([{ input: right, left: 450, top: 0 }])
    .jpeg()
    .withExif({
      IFD0: { Make: 'Secret Camera' },
      IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '36/1 51/1 30/1', GPSLongitudeRef: 'E', GPSLongitude: '174/1 45/1 48/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const original = await sharp(photo).metadata();
  const gpsTag = Buffer.from([0x25, 0x88]);
  expect([original.orientation, photo.includes('Secret Camera'), original.exif?.includes(gpsTag)]).toEqual([6, true, true]);

  const done = await processPicture(upload(photo));
  expect([done.width, done.height]).toEqual([600, 900]);
  for (const { data } of done.files) {
    const { exif, xmp, iptc, icc, orientation, comments } = await sharp(data).metadata();
    expect({ exif, xmp, iptc, icc, orientation, comments }).toEqual({});
    expect(data.includes('Secret Camera') || data.includes('Exif')).toBe(false);
  }
  const { data } = done.files.find((file) => file.suffix === '-600.webp') ?? {};
  expect(await pixel(sharp(data), 300, 100)).toEqual(close([200, 50, 50]));
  expect(await pixel(sharp(data), 300, 800)).toEqual(close([50, 50, 200]));
});

describe.each(['jpeg', 'png', 'webp'] as const)('a %s', (format) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('with orientation %i is turned upright', async (orientation) => {
    const corner = await plain(20, 10, '#3232c8').png().toBuffer();
    const source = await plain(90, 60)
      .composite([{ input: corner, left: 0, top: 0 }])
      .toFormat(format, { quality: 100 })
      .withMetadata({ orientation })
      .toBuffer();
    const upright = sharp(await sharp(source).autoOrient().png().toBuffer());
    const done = await processPicture(upload(source));
    expect([done.width, done.height]).toEqual(orientation > 4 ? [60, 90] : [90, 60]);
    const made = sharp(done.files.find((file) => file.contentType === 'image/webp')?.data);
    for (const [left, top] of [
      [3, 3],
      [done.width - 4, 3],
      [3, done.height - 4],
      [done.width - 4, done.height - 4],
    ] as const) {
      expect(await pixel(made.clone(), left, top)).toEqual(close(await pixel(upright.clone(), left, top), 30));
    }
  });
});

test('converts colours of a wide-gamut profile to sRGB', async () => {
  const wide = await plain(60, 40).withIccProfile('p3').png().toBuffer();
  const { icc } = await sharp(wide).metadata();
  expect(icc).toBeDefined();
  const done = await processPicture(upload(wide));
  const webp = done.files.find((file) => file.contentType === 'image/webp');
  expect(await pixel(sharp(webp?.data), 30, 20)).toEqual(close([200, 50, 50]));
});

test.each([
  ['in grey', [107, 107, 107], () => plain(60, 40).greyscale().toColourspace('b-w').jpeg().toBuffer()],
  ['in grey with 16 bits', [107, 107, 107], () => plain(60, 40).greyscale().toColourspace('grey16').png().toBuffer()],
  ['with 16 bits a colour', [200, 50, 50], () => plain(60, 40).toColourspace('rgb16').png().toBuffer()],
  ['with a palette', [200, 50, 50], () => plain(60, 40).png({ palette: true }).toBuffer()],
  ['in CMYK', [200, 50, 50], () => plain(60, 40).toColourspace('cmyk').jpeg().toBuffer()],
])('a picture %s keeps its colours', async (_, colour, make) => {
  const done = await processPicture(upload(await make()));
  const webp = done.files.find((file) => file.contentType === 'image/webp');
  expect(await sharp(webp?.data).metadata()).toMatchObject({ space: 'srgb', depth: 'uchar', channels: 3 });
  expect(await pixel(sharp(webp?.data), 30, 20)).toEqual(close(colour, 20));
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><script>alert(1)</script></svg>';
const html = '<!doctype html><script>alert(1)</script>';
test.each([
  ['an SVG', async () => Buffer.from(svg)],
  ['an HTML page', async () => Buffer.from(html)],
  [
    'an HTML page after the first bytes of a JPEG',
    async () => Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.from(html)]),
  ],
  ['an HTML page after the first bytes of a PNG', async () => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(html)])],
  ['a page that calls itself WebP', async () => Buffer.from(`RIFF\x20\0\0\0WEBP${html}`, 'latin1')],
  ['an AVIF brand before nothing', async () => Buffer.from('\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'latin1')],
  ['a PDF', async () => Buffer.from('%PDF-1.7\n1 0 obj\n')],
  ['a GIF', async () => plain(10, 10).gif().toBuffer()],
  ['a TIFF', async () => plain(10, 10).tiff().toBuffer()],
  ['nothing', async () => Buffer.alloc(0)],
  ['one byte', async () => Buffer.from([0xff])],
])('rejects %s', async (_, make) => {
  const source = upload(await make(), 'evil.jpg');
  for (const work of [processPicture, processLogo]) {
    await expect(work(source, null)).rejects.toMatchObject({
      code: 'unsupported_picture',
      fields: [{ field: 'serviceImages[2]', message: expect.stringContaining('“evil.jpg” is') }],
    });
  }
});

test.each(['jpeg', 'png', 'webp', 'avif'] as const)('rejects a truncated %s', async (format) => {
  const whole = await noisy(400, 300).toFormat(format).toBuffer();
  for (const share of [0.3, 0.9]) {
    await expect(processPicture(upload(whole.subarray(0, whole.length * share)))).rejects.toMatchObject({
      code: 'unsupported_picture',
      fields: [{ message: '“van.jpg” is damaged or incomplete.' }],
    });
  }
});

test.each([
  [
    'JPEG',
    async () => {
      const jpeg = await noisy(400, 300).jpeg().toBuffer();
      const table = jpeg.indexOf(Buffer.from([0xff, 0xc4]));
      return jpeg.fill(0xff, table + 5, table + 21);
    },
  ],
  [
    'PNG',
    async () => {
      const png = await plain(400, 300).png().toBuffer();
      return png.fill(0x5a, png.indexOf('IDAT') + 8, png.length - 16);
    },
  ],
  [
    'PNG with half its rows',
    async () => {
      const png = await plain(400, 300).png().toBuffer();
      const rows = png.indexOf('IDAT');
      const half = png.subarray(rows + 4, rows + 4 + png.readUInt32BE(rows - 4) / 2);
      return Buffer.concat([png.subarray(0, rows - 4), pngChunk('IDAT', half), png.subarray(-12)]);
    },
  ],
  [
    'WebP with half its pixels',
    async () => {
      const webp = await gradient().webp({ lossless: true }).toBuffer();
      return createWebp(webpChunk('VP8L', webp.subarray(20, 20 + webp.readUInt32LE(16) / 2)));
    },
  ],
  [
    'AVIF with the start of its pixels',
    async () => {
      const { header, frame, setup } = await createAv1(400, 300);
      // A frame without a length extends to the end.
      return createAvif({
        type: 'av01',
        data: Buffer.concat([header, Buffer.from([0x30]), frame.subarray(3, 5)]),
        properties: [sizeProperty(400, 300), setup],
      });
    },
  ],
])('rejects a complete %s file with incomplete pixels', async (_, make) => {
  await expect(processPicture(upload(await make()))).rejects.toMatchObject({
    code: 'unsupported_picture',
    fields: [{ message: '“van.jpg” is damaged or incomplete.' }],
  });
});

const gradient = () =>
  sharp(Buffer.from(Array.from({ length: 300 * 200 * 3 }, (_, at) => (at * at) % 251)), { raw: { width: 300, height: 200, channels: 3 } });

test('limits a sideways photo by its upright size', async () => {
  const lying = await plain(4_000, 1_000).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  expect(await processPicture(upload(lying))).toMatchObject({ width: 600, height: 2_400 });
});

test('names each invalid picture', async () => {
  const good = upload(await plain(60, 40).png().toBuffer(), 'good.png');
  const other = upload(await noisy(900, 600).png().toBuffer(), 'other.png');
  expect(await processPictures([other, good, good], null)).toMatchObject([{ width: 900 }, { width: 60 }, { width: 60 }]);
  const bad = ['one.svg', 'two.svg'].map((name, index) => ({ ...upload(Buffer.from(svg), name), fieldPath: `serviceImages[${index}]` }));
  await expect(processPictures([...bad, good], null)).rejects.toMatchObject({
    code: 'unsupported_picture',
    fields: [
      { field: 'serviceImages[0]', message: expect.stringContaining('“one.svg”') },
      { field: 'serviceImages[1]', message: expect.stringContaining('“two.svg”') },
    ],
  });
});

test('a lost file is an internal error, not an invalid picture', async () => {
  const good = upload(await plain(60, 40).png().toBuffer());
  const lost = { ...good, path: join(dir, 'nowhere') };
  const svgFile = upload(Buffer.from(svg));
  await expect(processPictures([good, svgFile, lost], null)).rejects.toThrow('could not be processed');
  await expect(processLogo(lost, null)).rejects.toThrow('could not be processed');
});

test('rejects 8,000 × 8,000 pixels and a side of 17,000 before decoding', async () => {
  const vast = blackPng(8_000, 8_000);
  expect(await sharp(vast).metadata()).toMatchObject({ width: 8_000, height: 8_000 });
  await expect(processPicture(upload(vast, 'vast.png'))).rejects.toMatchObject({
    code: 'picture_too_large',
    fields: [{ message: '“vast.png” has too many pixels. Use a picture of at most 50 megapixels.' }],
  });
  await expect(processPicture(upload(blackPng(17_000, 100), 'long.png'))).rejects.toMatchObject({
    code: 'picture_too_large',
    fields: [{ message: '“long.png” is too wide or too tall. Use a picture of at most 16,384 pixels on each side.' }],
  });
  expect(await processPicture(upload(blackPng(2_000, 2_000)))).toMatchObject({ width: 1600, height: 1600 });
});

test('fits a logo into 256 pixels and keeps its transparency', async () => {
  const logo = await sharp({ create: { width: 600, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toBuffer();
  const { suffix, data, contentType } = await processLogo(upload(logo), null);
  expect([suffix, contentType]).toEqual(['.webp', 'image/webp']);
  expect(await sharp(data).metadata()).toMatchObject({ format: 'webp', width: 256, height: 128, hasAlpha: true });
  const [alpha] = await sharp(data).extractChannel('alpha').extract({ left: 9, top: 9, width: 1, height: 1 }).raw().toBuffer();
  expect(alpha).toBe(0);
});
