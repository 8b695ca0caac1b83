/** A place in a picture, from 0 at its left and top to 1. */
type Place = readonly [x: number, y: number];
/** One of the waves that a channel is made of: how often it turns across and down, and how strong it is. */
type Wave = readonly [across: number, down: number, strength: number];

const strengthAt = (waves: readonly Wave[], [x, y]: Place) =>
  waves.reduce((sum, [across, down, strength]) => sum + strength * Math.cos(Math.PI * x * across) * Math.cos(Math.PI * y * down), 0);

const inBytes = (colour: number) => Math.trunc(255 * Math.min(1, Math.max(0, colour)));

/**
 * The colours of a ThumbHash (evanw.github.io/thumbhash) at these places, and no more of it: all of its pixels take seventeen times as long,
 * and a page has twenty pictures.
 */
function coloursAt(hash: Uint8Array, places: readonly Place[]): string[] {
  const byte = (at: number) => hash[at] ?? 0;
  const means = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const sizes = byte(3) | (byte(4) << 8);
  const hasAlpha = means >> 23 === 1;
  const isWide = sizes >> 15 === 1;
  const long = hasAlpha ? 5 : 7;
  const [columns, rows] = isWide ? [long, sizes & 7] : [sizes & 7, long];
  let read = hasAlpha ? 12 : 10;
  // Each strength is half a byte.
  const next = () => {
    const half = (byte(read >> 1) >> ((read & 1) * 4)) & 15;
    read += 1;
    return half / 7.5 - 1;
  };
  const waves = (across: number, down: number, scale: number) => {
    const all: Wave[] = [];
    for (let y = 0; y < down; y += 1) {
      for (let x = y === 0 ? 1 : 0; x * down < across * (down - y); x += 1) all.push([x, y, 2 * scale * next()]);
    }
    return all;
  };
  const light = waves(Math.max(3, columns), Math.max(3, rows), ((means >> 18) & 31) / 31);
  // Colours are stored a quarter paler than they are.
  const yellow = waves(3, 3, (1.25 * ((sizes >> 3) & 63)) / 63);
  const red = waves(3, 3, (1.25 * ((sizes >> 9) & 63)) / 63);
  return places.map((place) => {
    const l = (means & 63) / 63 + strengthAt(light, place);
    const p = ((means >> 6) & 63) / 31.5 - 1 + strengthAt(yellow, place);
    const q = ((means >> 12) & 63) / 31.5 - 1 + strengthAt(red, place);
    const b = l - (2 / 3) * p;
    const r = (3 * l - b + q) / 2;
    return [r, r - q, b].map(inBytes).join(' ');
  });
}

const corners = ['bottom right', 'bottom left', 'top right', 'top left'];
const near = [
  [0.1, 0.1],
  [0.9, 0.1],
  [0.1, 0.9],
  [0.9, 0.9],
  [0.5, 0.5],
] as const;

/**
 * A CSS background that looks like the picture from far away: its four corners, blended. It needs no image and no script in
 * the browser, so it is there with the first paint.
 */
export function thumbhashBackground(base64: string): string | undefined {
  try {
    const colours = coloursAt(
      Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
      near,
    );
    const blended = corners.map((corner, at) => `linear-gradient(to ${corner}, rgb(${colours[at]}), rgb(${colours[at]} / 0) 75%)`);
    return [...blended, `rgb(${colours[4]})`].join(',');
  } catch {
    return undefined;
  }
}
