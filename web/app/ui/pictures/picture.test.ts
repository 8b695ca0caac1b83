import { rgbaToThumbHash } from 'thumbhash';
import { expect, test } from 'vitest';
import { getThumbhashBackground } from './picture.tsx';

const base64 = (hash: Uint8Array) => btoa(String.fromCharCode(...hash));

test('takes each corner’s colour from that corner of the picture', () => {
  // Red grows to the right, green downwards.
  const [width, height] = [40, 30];
  const rgba = Uint8Array.from({ length: width * height * 4 }, (_, index) => {
    const pixel = index >> 2;
    return [(255 * (pixel % width)) / (width - 1), (255 * Math.floor(pixel / width)) / (height - 1), 0, 255][index & 3] ?? 0;
  });
  const background = getThumbhashBackground(base64(rgbaToThumbHash(width, height, rgba))) ?? '';
  const colours = [...background.matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map((found) => found.slice(1).map(Number));
  const expected = [
    [26, 26],
    [230, 26],
    [26, 230],
    [230, 230],
    [128, 128],
  ];
  expect(colours).toHaveLength(expected.length);
  for (const [index, [red = 0, green = 0]] of expected.entries()) {
    expect(Math.abs((colours[index]?.[0] ?? -255) - red)).toBeLessThan(40);
    expect(Math.abs((colours[index]?.[1] ?? -255) - green)).toBeLessThan(40);
  }
});

test('blends the corners over the colour of the middle', () => {
  expect(getThumbhashBackground('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toMatch(
    /^linear-gradient\(to bottom right, rgb\((.+?)\), rgb\(\1 \/ 0\) 75%\),linear-gradient\(to bottom left, .+\),linear-gradient\(to top right, .+\),linear-gradient\(to top left, .+\),rgb\(\d+ \d+ \d+\)$/,
  );
});

test.each(['not base64 at all!', '', 'AAAA'])('gives no background for %j, which is not a ThumbHash', (text) => {
  expect(getThumbhashBackground(text)).toBeUndefined();
});
