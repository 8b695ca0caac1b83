import { rgbaToThumbHash, thumbHashToRGBA } from 'thumbhash';
import { expect, test } from 'vitest';
import { thumbhashBackground } from './thumbhash-background.ts';

const base64 = (hash: Uint8Array) => btoa(String.fromCharCode(...hash));

/** Pictures of all shapes and colours, the same in each run. */
function pictures(count: number) {
  let state = 7;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return Array.from({ length: count }, (_, at) => {
    const width = 4 + Math.floor(random() * 40);
    const height = 4 + Math.floor(random() * 40);
    const alpha = at % 3 === 0 ? 120 : 255;
    const [red, green, blue] = [random(), random(), random()];
    const rgba = Uint8Array.from({ length: width * height * 4 }, (_byte, index) => {
      const [x, y] = [((index >> 2) % width) / width, Math.floor((index >> 2) / width) / height];
      return [255 * red * x, 255 * green * y, 255 * blue * (1 - x), alpha][index & 3] ?? 0;
    });
    return rgbaToThumbHash(width, height, rgba);
  });
}

test('the colours behind a picture are those of its ThumbHash as its library draws it', () => {
  for (const hash of pictures(60)) {
    const { w, h, rgba } = thumbHashToRGBA(hash);
    const background = thumbhashBackground(base64(hash)) ?? '';
    const colours = [...background.matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map((found) => found.slice(1).map(Number));
    const places = [
      [0.1, 0.1],
      [0.9, 0.1],
      [0.1, 0.9],
      [0.9, 0.9],
      [0.5, 0.5],
    ] as const;
    expect(colours).toHaveLength(places.length);
    for (const [index, [x, y]] of places.entries()) {
      // Between the pixels around the place, and a little more for what lies between their middles.
      const around = [Math.floor(y * h - 0.5), Math.ceil(y * h - 0.5)].flatMap((row) =>
        [Math.floor(x * w - 0.5), Math.ceil(x * w - 0.5)].map((column) => {
          const start = 4 * (Math.min(h - 1, Math.max(0, row)) * w + Math.min(w - 1, Math.max(0, column)));
          return [...rgba.subarray(start, start + 3)];
        }),
      );
      for (const channel of [0, 1, 2]) {
        const values = around.map((pixel) => pixel[channel] ?? 0);
        expect(colours[index]?.[channel]).toBeGreaterThanOrEqual(Math.min(...values) - 2);
        expect(colours[index]?.[channel]).toBeLessThanOrEqual(Math.max(...values) + 2);
      }
    }
  }
});

test('its corners are blended towards the middle, and its middle lies behind them', () => {
  expect(thumbhashBackground('1QcSHQRnh493V4dIh4eXh1h4kJUI')).toMatch(
    /^linear-gradient\(to bottom right, rgb\((.+?)\), rgb\(\1 \/ 0\) 75%\),linear-gradient\(to bottom left, .+\),linear-gradient\(to top right, .+\),linear-gradient\(to top left, .+\),rgb\(\d+ \d+ \d+\)$/,
  );
});

test('where it is no ThumbHash, there is no background', () => {
  expect(thumbhashBackground('not base64 at all!')).toBeUndefined();
});
