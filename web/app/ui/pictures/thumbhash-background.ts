import { thumbHashToRGBA } from 'thumbhash';

const corners = ['bottom right', 'bottom left', 'top right', 'top left'];
/** Near the four corners, then the middle, as fractions of the width and height. */
const places = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
  [0.5, 0.5],
] as const;

/**
 * A CSS background that looks like the picture from far away: its four corners, blended. It needs no image and no script in
 * the browser, so it is part of the first paint.
 */
export function thumbhashBackground(base64: string): string | undefined {
  try {
    const { w, h, rgba } = thumbHashToRGBA(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
    // Too few bytes for a hash give an empty picture.
    if (rgba.length === 0) return undefined;
    const colours = places.map(([x, y]) => {
      const start = 4 * (Math.floor(y * h) * w + Math.floor(x * w));
      return rgba.subarray(start, start + 3).join(' ');
    });
    const blended = corners.map((corner, at) => `linear-gradient(to ${corner}, rgb(${colours[at]}), rgb(${colours[at]} / 0) 75%)`);
    return [...blended, `rgb(${colours[4]})`].join(',');
  } catch {
    return undefined;
  }
}
