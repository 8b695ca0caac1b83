import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';

export function drawScaffold(sketch: Sketch, mood: Mood, x: number, base: number, w: number, h: number) {
  let poles = '';
  let braces = '';
  const bays = 5;
  for (let bay = 0; bay <= bays; bay++) {
    poles += `M${to(x + (bay * w) / bays, base)}v${to(-h - 50)}`;
    if (bay < bays && bay % 2 === 0) braces += `M${to(x + (bay * w) / bays, base)}l${to(w / bays, -h / 2)}`;
  }
  sketch.stroke(braces, '#7a868c', 3.4, 0.9);
  for (const level of [0.5, 1]) {
    sketch.rect(x - 8, base - h * level, w + 16, 10, sketch.down(lit('#c99a5e', mood, 0.25), shaded('#a87a45', mood, 0.2)), 2);
    sketch.rect(x - 8, base - h * level + 10, w + 16, 12, mood.shade, 0, 0.16);
    poles += `M${to(x - 8, base - h * level - 34)}H${to(x + w + 8)}`;
  }
  sketch.stroke(poles, '#9aa5aa', 6);
  sketch.stroke(poles, '#e3e8ea', 1.8, 0.8);
}
