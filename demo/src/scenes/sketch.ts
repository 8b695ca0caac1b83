import type { Random } from '../random.ts';

export const sceneWidth = 800;
export const sceneHeight = 600;

export type Point = readonly [number, number];
type Stop = string | readonly [color: string, opacity: number];

const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** The colour `share` of the way from `from` to `to`. */
export function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  return `#${channels(from)
    .map((value, index) =>
      Math.round(value + ((target[index] ?? 0) - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

// One decimal: shorter files, and the last bit of a sine differs between machines.
const round = (value: number) => String(Math.round(value * 10) / 10);
export const to = (...values: number[]) => values.map(round).join(' ');

/** An SVG being drawn on 800 × 600. Shapes come to lie over those drawn before. */
export class Sketch {
  readonly random: Random;
  private readonly definitions: string[] = [];
  private readonly shapes: string[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  private define(tag: string, attributes: string, content: string): string {
    const id = `d${this.definitions.length}`;
    this.definitions.push(`<${tag} id="${id}" ${attributes}>${content}</${tag}>`);
    return `url(#${id})`;
  }

  private stops(stops: readonly Stop[]) {
    return stops
      .map((stop, index) => {
        const [color, opacity] = typeof stop === 'string' ? [stop, 1] : stop;
        return `<stop offset="${round((index / (stops.length - 1)) * 100)}%" stop-color="${color}"${opacity < 1 ? ` stop-opacity="${opacity}"` : ''}/>`;
      })
      .join('');
  }

  /** From top to bottom of the shape. */
  down(...stops: Stop[]) {
    return this.define('linearGradient', 'x1="0" y1="0" x2="0" y2="1"', this.stops(stops));
  }
  /** From left to right of the shape. */
  across(...stops: Stop[]) {
    return this.define('linearGradient', 'x1="0" y1="0" x2="1" y2="0"', this.stops(stops));
  }
  /** From the upper left to the lower right of the shape. */
  diagonal(...stops: Stop[]) {
    return this.define('linearGradient', 'x1="0" y1="0" x2="1" y2="1"', this.stops(stops));
  }
  radial(stops: readonly Stop[], at: Point = [0.5, 0.5], radius = 0.5) {
    return this.define('radialGradient', `cx="${at[0]}" cy="${at[1]}" r="${radius}"`, this.stops(stops));
  }

  // The opacity is the paint's, not the element's: a renderer draws a translucent element on a surface of its own first,
  // which takes twice as long for all of them together.
  rect(x: number, y: number, w: number, h: number, fill: string, corner = 0, opacity = 1) {
    this.shapes.push(
      `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(0, w))}" height="${round(Math.max(0, h))}"${corner ? ` rx="${round(corner)}"` : ''} fill="${fill}"${opacity < 1 ? ` fill-opacity="${opacity}"` : ''}/>`,
    );
  }
  ellipse(cx: number, cy: number, rx: number, ry: number, fill: string, opacity = 1) {
    this.shapes.push(
      `<ellipse cx="${round(cx)}" cy="${round(cy)}" rx="${round(rx)}" ry="${round(ry)}" fill="${fill}"${opacity < 1 ? ` fill-opacity="${opacity}"` : ''}/>`,
    );
  }
  circle(cx: number, cy: number, r: number, fill: string, opacity = 1) {
    this.ellipse(cx, cy, r, r, fill, opacity);
  }
  poly(points: readonly Point[], fill: string, opacity = 1) {
    this.path(`M${points.map((point) => to(...point)).join('L')}Z`, fill, opacity);
  }
  path(d: string, fill: string, opacity = 1) {
    this.shapes.push(`<path d="${d}" fill="${fill}"${opacity < 1 ? ` fill-opacity="${opacity}"` : ''}/>`);
  }
  stroke(d: string, color: string, thickness: number, opacity = 1) {
    this.shapes.push(
      `<path d="${d}" fill="none" stroke="${color}" stroke-width="${round(thickness)}" stroke-linecap="round" stroke-linejoin="round"${opacity < 1 ? ` stroke-opacity="${opacity}"` : ''}/>`,
    );
  }
  /** A soft shadow where something stands or hangs. */
  shadow(cx: number, cy: number, rx: number, ry: number, opacity = 0.4) {
    this.ellipse(
      cx,
      cy,
      rx,
      ry,
      this.radial([
        ['#0b1a22', opacity],
        ['#0b1a22', opacity * 0.55],
        ['#0b1a22', 0],
      ]),
    );
  }
  glow(cx: number, cy: number, radius: number, color: string, opacity: number) {
    this.circle(
      cx,
      cy,
      radius,
      this.radial([
        [color, opacity],
        [color, opacity * 0.35],
        [color, 0],
      ]),
    );
  }
  /** Draws what `draw` draws, transformed, and cut to the outline `clip` where one is given. */
  within(options: { transform?: string; clip?: string; opacity?: number }, draw: () => void) {
    const clip = options.clip ? ` clip-path="${this.define('clipPath', '', `<path d="${options.clip}"/>`)}"` : '';
    const transform = options.transform ? ` transform="${options.transform}"` : '';
    this.shapes.push(`<g${transform}${clip}${options.opacity ? ` opacity="${options.opacity}"` : ''}>`);
    draw();
    this.shapes.push('</g>');
  }

  svg() {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${sceneWidth}" height="${sceneHeight}" viewBox="0 0 ${sceneWidth} ${sceneHeight}"><defs>${this.definitions.join('')}</defs>${this.shapes.join('')}</svg>`;
  }
}

export const box = (x: number, y: number, w: number, h: number) => `M${to(x, y)}h${to(w)}v${to(h)}h${to(-w)}Z`;
