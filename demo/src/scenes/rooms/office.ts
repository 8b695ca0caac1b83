import { drawBucket } from '../equipment/cleaning.ts';
import { drawBackdrop } from '../land/lands.ts';
import { type Mood, drawSky, lit, shaded } from '../moods.ts';
import { drawShrub } from '../plants.ts';
import { type Sketch, box, mix } from '../sketch.ts';
import { drawPotPlant } from './furniture.ts';
import { drawRoom, pickDecor } from './room.ts';

export function office(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, { ...decor, floor: mix(decor.floor, '#8b979c', 0.55) }, 430);
  sketch.within({ clip: box(40, 60, 720, 250) }, () => {
    drawSky(sketch, mood, 300);
    drawBackdrop(sketch, mood, 300, regionCode);
    sketch.rect(0, 298, 800, 30, '#6f8f6a');
  });
  for (let bar = 0; bar <= 6; bar++) sketch.rect(34 + bar * 120, 54, 12, 262, lit('#39454b', mood, 0.1));
  for (const y of [54, 304]) sketch.rect(34, y, 732, 12, '#39454b');
  for (let light = 0; light < 4; light++) {
    sketch.rect(90 + light * 180, 0, 90, 14, '#fff7dc', 3);
    sketch.glow(135 + light * 180, 16, 120, '#fff3cc', 0.35);
  }
  const desk = random.pick(['#d8b07a', '#f1ece2', '#b07f50']);
  for (const [x, y, size] of [
    [60, 420, 0.8],
    [470, 420, 0.8],
    [230, 520, 1.1],
  ] as const) {
    sketch.shadow(x + 130 * size, y + 60 * size, 170 * size, 16, 0.4);
    sketch.rect(x + 90 * size, y - 84 * size, 96 * size, 62 * size, '#222c31', 4);
    sketch.rect(x + 95 * size, y - 79 * size, 86 * size, 52 * size, sketch.diagonal(lit(decor.accent, mood, 0.3), '#1b2a32'), 2);
    sketch.rect(x + 132 * size, y - 24 * size, 12 * size, 24 * size, '#3a464c');
    sketch.rect(x, y - 4, 270 * size, 14 * size, sketch.down(lit(desk, mood, 0.3), shaded(desk, mood, 0.12)), 2);
    for (const leg of [8, 250]) sketch.rect(x + leg * size, y + 8, 9 * size, 58 * size, '#39454b');
    sketch.rect(
      x + 96 * size,
      y + 2,
      74 * size,
      50 * size,
      sketch.down(lit(decor.accent, mood, 0.15), shaded(decor.accent, mood, 0.35)),
      12,
    );
    if (random.chance(0.6)) drawPotPlant(sketch, mood, x + 236 * size, y - 4, 56 * size, decor.warm);
  }
  drawBucket(sketch, mood, random.between(620, 700), 582, 80, '#e0b030');
  sketch.stroke('M600 560L680 330', '#c9a06a', 7);
  for (let shrub = 0; shrub < 1; shrub++) drawShrub(sketch, mood, 30, 470, 60, 0);
}
