import { drawHouse } from '../houses/house.ts';
import { drawBackdrop } from '../land/lands.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawShrub, drawTree } from '../plants.ts';
import { type Sketch, box, to } from '../sketch.ts';
import { drawLawn, drawPath } from './ground.ts';

export function drawFence(
  sketch: Sketch,
  mood: Mood,
  y: number,
  h: number,
  color: string,
  kind: 'picket' | 'paling' | 'slats',
  from = -10,
  until = 810,
) {
  if (kind === 'slats') {
    for (let slat = 0; slat < 7; slat++)
      sketch.rect(from, y - h + (slat * h) / 7, until - from, h / 7 - 4, sketch.down(lit(color, mood, 0.25), shaded(color, mood, 0.15)));
    for (let post = from; post < until; post += 118) sketch.rect(post, y - h - 8, 12, h + 12, shaded(color, mood, 0.35));
    return;
  }
  for (const rail of [0.25, 0.72]) sketch.rect(from, y - h * rail - 6, until - from, 8, shaded(color, mood, 0.2));
  const step = kind === 'picket' ? 22 : 19;
  let light = '';
  let dark = '';
  for (let at = from; at < until; at += step) {
    const board =
      kind === 'picket' ? `M${to(at, y)}v${to(-h + 8)}l7 -10l7 10v${to(h - 8)}Z` : box(at, y - h + sketch.random.between(-2, 2), 17.4, h);
    if (sketch.random.chance(0.6)) light += board;
    else dark += board;
  }
  sketch.path(light, sketch.down(lit(color, mood, 0.2), shaded(color, mood, 0.12)));
  sketch.path(dark, sketch.down(lit(color, mood, 0.08), shaded(color, mood, 0.22)));
}

/** A new fence with its gate, and a house behind it. */
export function fence(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  drawBackdrop(sketch, mood, 300, regionCode);
  drawLawn(sketch, mood, 298, random.pick(['#6fa046', '#7a9c48', '#5f9350']), true);
  for (let tree = 0; tree < 5; tree++) drawTree(sketch, mood, random.between(0, 800), random.between(420, 440), random.between(180, 290));
  drawHouse(sketch, mood, random.pick(['villa', 'bungalow', 'modern'] as const), random.between(150, 300), 430, 380);
  const color = random.pick(['#c39a6b', '#f4f1ea', '#8a6a4a', '#46525a', '#b5724a']);
  const kind = random.pick(['picket', 'paling', 'slats'] as const);
  const gate = random.between(280, 460);
  drawFence(sketch, mood, 520, 130, color, kind, -10, gate);
  drawFence(sketch, mood, 520, 130, color, kind, gate + 150, 820);
  sketch.within({ transform: `translate(${to(gate + 8, 0)})` }, () =>
    drawFence(sketch, mood, 522, 118, lit(color, mood, 0.25), kind === 'slats' ? 'slats' : 'paling', 0, 128),
  );
  sketch.stroke(`M${to(gate + 14, 510)}L${to(gate + 130, 416)}`, shaded(color, mood, 0.35), 8);
  for (const post of [gate - 12, gate + 144]) {
    sketch.rect(post, 370, 20, 154, sketch.across(lit(color, mood, 0.3), shaded(color, mood, 0.35)), 2);
    sketch.rect(post - 4, 362, 28, 12, shaded(color, mood, 0.1), 2);
  }
  drawPath(sketch, mood, gate + 10, 520, 128, gate - 40, 230, '#cfc8ba');
  for (let shrub = 0; shrub < 7; shrub++) {
    const at = random.between(0, 800);
    if (Math.abs(at - gate - 75) > 130) drawShrub(sketch, mood, at, random.between(530, 556), random.between(36, 64), 0.7);
  }
}
