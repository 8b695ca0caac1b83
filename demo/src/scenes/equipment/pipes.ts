import { type Sketch, to } from '../sketch.ts';

export const copper = ['#e3a06f', '#b5693d', '#7f4224'] as const;
export const white = ['#fbfbf8', '#dfe3e2', '#aeb9bb'] as const;

/** A round pipe along a line: its light side, itself, and its shadow. */
export function pipe(sketch: Sketch, d: string, size: number, [light, color, dark]: readonly [string, string, string]) {
  sketch.stroke(d, dark, size);
  sketch.stroke(d, color, size * 0.74);
  sketch.within({ transform: `translate(${to(-size * 0.14, -size * 0.14)})` }, () => sketch.stroke(d, light, size * 0.24, 0.8));
}
