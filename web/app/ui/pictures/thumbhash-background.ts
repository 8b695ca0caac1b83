import { thumbHashToRGBA } from 'thumbhash';

/**
 * A CSS background that looks like the picture from far away: its four corners, blended. It needs no image and no script in
 * the browser, so it is there with the first paint.
 */
export function thumbhashBackground(base64: string): string | undefined {
  try {
    const { w, h, rgba } = thumbHashToRGBA(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
    const at = (x: number, y: number) => {
      const start = 4 * (Math.round(y * (h - 1)) * w + Math.round(x * (w - 1)));
      return [...rgba.subarray(start, start + 3)].join(' ');
    };
    const corner = (direction: string, color: string) => `linear-gradient(to ${direction}, rgb(${color}), rgb(${color} / 0) 75%)`;
    return [
      corner('bottom right', at(0.1, 0.1)),
      corner('bottom left', at(0.9, 0.1)),
      corner('top right', at(0.1, 0.9)),
      corner('top left', at(0.9, 0.9)),
      `rgb(${at(0.5, 0.5)})`,
    ].join(',');
  } catch {
    return undefined;
  }
}
