import { drawBottle, drawBucket } from '../equipment/cleaning.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';
import { tap, tiles } from './fittings.ts';
import { drawPotPlant } from './furniture.ts';
import { drawRoom, drawSunPatch, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

export function bathroom(sketch: Sketch, mood: Mood, regionCode: number, work: 'clean' | 'plumb') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  const tone = random.pick(['#bfd8d6', '#e6ded0', '#9fc0c6', '#d7c9c0', '#8fb5a6', '#e9e9e4', '#c6cfe0', '#5f8a90', '#d9b8a6']);
  drawRoom(sketch, mood, { ...decor, wall: mix(tone, '#ffffff', 0.7), floor: mix(decor.floor, '#c9c9c4', 0.7) }, 470);
  const flip = random.chance(0.5);
  tiles(sketch, mood, 0, 180, 800, 272, tone, random.pick(['square', 'metro', 'stack'] as const));
  sketch.rect(0, 172, 800, 12, lit('#ffffff', mood, 0.1));
  drawRoomWindow(sketch, mood, flip ? 560 : 90, 50, 150, 130, regionCode);
  drawSunPatch(sketch, mood, flip ? 420 : 220, 460);

  const bathX = flip ? 470 : 30;
  sketch.shadow(bathX + 150, 546, 180, 20, 0.45);
  sketch.path(`M${to(bathX, 400)}h300q0 128 -74 134h-152q-74 -6 -74 -134Z`, sketch.down('#ffffff', mix('#dfe6e8', mood.shade, 0.15)));
  sketch.rect(bathX - 10, 392, 320, 16, sketch.down('#ffffff', '#cfd8da'), 8);
  for (const foot of [60, 224]) sketch.path(`M${to(bathX + foot, 530)}h18l6 18h-30Z`, '#c9a24e');
  tap(sketch, bathX + (flip ? 262 : 30), 394, 74);
  if (random.chance(0.6)) {
    for (let bubble = 0; bubble < 16; bubble++)
      sketch.circle(bathX + random.between(60, 260), 392 - random.between(-4, 16), random.between(8, 18), '#ffffff', 0.8);
  }

  const basinX = flip ? 90 : 430;
  const cabinet = random.pick([decor.wood, decor.accent, '#f0ede6', decor.second]);
  sketch.shadow(basinX + 140, 546, 170, 18, 0.4);
  sketch.rect(basinX, 392, 280, 140, sketch.across(lit(cabinet, mood, 0.2), shaded(cabinet, mood, 0.15)), 4);
  for (const drawer of [0, 1]) {
    sketch.rect(basinX + 8 + drawer * 136, 404, 128, 118, shaded(cabinet, mood, 0.1), 3, 0.6);
    sketch.rect(basinX + 50 + drawer * 136, 424, 44, 6, '#e0b45a', 3);
  }
  sketch.rect(basinX - 12, 378, 304, 18, sketch.down('#fdfcf9', '#d5d3cc'), 3);
  sketch.path(`M${to(basinX + 70, 342)}h140q0 36 -34 38h-72q-34 -2 -34 -38Z`, sketch.down('#ffffff', '#d9e0e2'));
  sketch.ellipse(basinX + 140, 342, 70, 9, '#c9d3d6');
  tap(sketch, basinX + 128, 340, 58);
  const round = random.chance(0.5);
  const glass = sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.6), mix(tone, '#ffffff', 0.35), mix(mood.sky[1], mood.shade, 0.2));
  if (round) {
    sketch.circle(basinX + 140, 186, 92, shaded(decor.wood, mood, 0.05));
    sketch.circle(basinX + 140, 186, 83, glass);
  } else {
    sketch.rect(basinX + 46, 76, 188, 216, shaded(decor.wood, mood, 0.05), 8);
    sketch.rect(basinX + 54, 84, 172, 200, glass, 4);
  }
  sketch.stroke(`M${to(basinX + 92, 216)}l64 -76M${to(basinX + 124, 232)}l36 -42`, '#ffffff', 7, 0.4);
  drawPotPlant(sketch, mood, basinX + 250, 378, 70, decor.warm);
  if (work === 'clean') {
    drawBucket(sketch, mood, 400, 582, 64, random.pick(['#2f8fc9', '#e0a030', '#2fa37a']));
    drawBottle(sketch, mood, basinX + 34, 378, 60, random.pick(['#3fb8a0', '#f2a541', '#6aa5e0']));
  } else {
    sketch.stroke(`M380 580l70 -44`, '#6f7b82', 13);
    sketch.path('M440 548q-4 -24 20 -30l4 14l14 4l6 -16q20 16 2 36q-22 20 -46 -8Z', '#8f9ba1');
  }
}
