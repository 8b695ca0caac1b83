import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, box, mix, to } from '../sketch.ts';

export const metal = (sketch: Sketch) => sketch.across('#eef3f5', '#aab6bc', '#dfe6e9', '#7f8c93');

export function tiles(
  sketch: Sketch,
  mood: Mood,
  x: number,
  y: number,
  w: number,
  h: number,
  color: string,
  kind: 'square' | 'metro' | 'stack',
) {
  const [tw, th] = { square: [44, 44], metro: [62, 26], stack: [30, 66] }[kind] as [number, number];
  sketch.rect(x, y, w, h, sketch.diagonal(lit(color, mood, 0.28), color, shaded(color, mood, 0.16)));
  sketch.within({ clip: box(x, y, w, h) }, () => {
    for (let tile = 0; tile < 22; tile++) {
      const column = sketch.random.int(0, Math.ceil(w / tw));
      const row = sketch.random.int(0, Math.ceil(h / th));
      sketch.rect(
        x + column * tw + (kind === 'metro' && row % 2 ? tw / 2 : 0),
        y + row * th,
        tw,
        th,
        sketch.random.chance(0.5) ? '#ffffff' : mood.shade,
        0,
        0.1,
      );
    }
    let grout = '';
    let row = 0;
    for (let line = y; line <= y + h; line += th, row++) {
      grout += `M${to(x, line)}h${to(w)}`;
      for (let joint = x + (kind === 'metro' && row % 2 ? tw / 2 : 0); joint <= x + w; joint += tw)
        grout += `M${to(joint, line)}v${to(th)}`;
    }
    sketch.stroke(grout, mix(color, '#ffffff', 0.6), 2, 0.6);
  });
}

export function tap(sketch: Sketch, x: number, y: number, size: number) {
  sketch.stroke(
    `M${to(x, y)}V${to(y - size * 0.7)}q0 ${to(-size * 0.34)} ${to(size * 0.36, -size * 0.34)}t${to(size * 0.3, size * 0.36)}`,
    '#8b989f',
    size * 0.17,
  );
  sketch.stroke(
    `M${to(x - size * 0.03, y)}V${to(y - size * 0.7)}q0 ${to(-size * 0.36)} ${to(size * 0.38, -size * 0.36)}`,
    '#eef3f5',
    size * 0.06,
  );
  sketch.rect(x - size * 0.18, y - size * 0.08, size * 0.36, size * 0.1, '#aab6bc', 3);
}
