import { type Mood, shaded } from '../moods.ts';
import { type Sketch, mix, sceneWidth, to } from '../sketch.ts';

export function water(sketch: Sketch, mood: Mood, from: number, until: number) {
  sketch.rect(0, from, sceneWidth, until - from, sketch.down(mix(mood.sky[1], mood.haze, 0.4), mix(mood.sky[0], '#1f6f7f', 0.4)));
  for (let glint = 0; glint < 26; glint++) {
    const y = from + 3 + (until - from) * Math.pow(sketch.random.next(), 1.6);
    const half = (y - from) * 0.25 + sketch.random.between(6, 26);
    const x = sketch.random.between(0, sceneWidth);
    sketch.rect(x - half, y, half * 2, 1.6, mix(mood.light, '#ffffff', 0.4), 1, 0.35);
  }
}

export function sailBoats(sketch: Sketch, mood: Mood, from: number, until: number, count: number) {
  for (let boat = 0; boat < count; boat++) {
    const y = sketch.random.between(from + 12, until - 8);
    const size = 8 + (y - from) * 0.28;
    const x = sketch.random.between(60, 740);
    sketch.path(
      `M${to(x, y)}L${to(x, y - size * 2.2)}Q${to(x + size, y - size * 0.9, x + size * 0.95, y - size * 0.1)}Z`,
      mix('#ffffff', mood.light, 0.3),
    );
    sketch.path(
      `M${to(x - 2, y - size * 0.1)}L${to(x - 2, y - size * 1.8)}L${to(x - size * 0.7, y - size * 0.1)}Z`,
      mix('#e8edf2', mood.haze, 0.3),
    );
    sketch.path(
      `M${to(x - size * 0.8, y)}H${to(x + size)}L${to(x + size * 0.6, y + size * 0.3)}H${to(x - size * 0.5)}Z`,
      shaded('#8a4b38', mood, 0.2),
    );
  }
}
