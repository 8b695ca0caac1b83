import { drawBottle, drawBucket } from '../equipment/cleaning.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';
import { metal, tap, tiles } from './fittings.ts';
import { drawPendant, drawPotPlant } from './furniture.ts';
import { type Decor, drawRoom, drawSunPatch, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

function cupboards(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, count: number, color: string, knob = '#d9b25a') {
  sketch.rect(x, y, w, h, sketch.down(lit(color, mood, 0.15), shaded(color, mood, 0.15)), 3);
  const each = w / count;
  for (let door = 0; door < count; door++) {
    const left = x + door * each;
    sketch.rect(left + 4, y + 4, each - 8, h - 8, sketch.diagonal(lit(color, mood, 0.22), color), 3);
    sketch.rect(left + 16, y + 16, each - 32, h - 32, shaded(color, mood, 0.14), 2, 0.45);
    sketch.rect(left + (door % 2 ? 14 : each - 20), y + h * 0.4, 6, 26, knob, 3);
  }
}

export function kitchen(sketch: Sketch, mood: Mood, regionCode: number, focus: 'clean' | 'oven' | 'gas' | 'plain') {
  const { random } = sketch;
  const decor: Decor = pickDecor(sketch);
  const doors = random.pick([decor.accent, decor.second, '#eef0ec', decor.wood, '#35505a', '#7f9a86']);
  drawRoom(sketch, mood, decor, 490);
  tiles(
    sketch,
    mood,
    0,
    200,
    800,
    130,
    random.pick(['#f3f1ea', '#cfe0dc', '#e2c9b0', '#a9c4cc', '#dfe3da']),
    random.pick(['metro', 'square', 'stack'] as const),
  );
  const flip = random.chance(0.5);
  const windowX = flip ? 410 : 110;
  drawRoomWindow(sketch, mood, windowX, 60, 270, 210, regionCode);
  cupboards(sketch, mood, flip ? 20 : 460, 30, 320, 150, 3, doors);
  sketch.rect(flip ? 20 : 460, 180, 320, 14, mood.shade, 0, 0.25);
  sketch.rect(
    -10,
    326,
    820,
    22,
    sketch.down(lit(random.pick(['#f4f1ea', '#4b4f52', '#c79b6c']), mood, 0.2), shaded('#b7ada0', mood, 0.1)),
    2,
  );
  cupboards(sketch, mood, -6, 348, 812, 142, 7, doors);
  sketch.rect(-6, 348, 812, 12, mood.shade, 0, 0.28);
  const stoveX = flip ? 110 : 540;
  sketch.rect(stoveX, 322, 180, 170, sketch.across('#e3e8ea', '#9aa5ab'), 4);
  sketch.rect(stoveX + 16, 384, 148, 92, sketch.diagonal('#56636b', '#1d262b'), 6);
  if (focus === 'oven' || mood.evening)
    sketch.rect(
      stoveX + 24,
      392,
      132,
      76,
      sketch.radial([
        ['#ffb44f', 0.85],
        ['#c9531f', 0.3],
      ]),
      4,
    );
  sketch.rect(stoveX + 16, 368, 148, 7, '#f6f8f8', 3);
  for (let knob = 0; knob < 4; knob++) sketch.circle(stoveX + 32 + knob * 38, 350, 8, '#3a454b');
  sketch.rect(stoveX - 4, 316, 188, 10, '#2c3539', 3);
  for (const burner of [48, 130]) {
    if (focus === 'gas')
      for (let flame = -3; flame <= 3; flame++)
        sketch.path(`M${to(stoveX + burner + flame * 9 - 4, 314)}q4 -18 4 -22q4 10 5 22Z`, flame % 2 ? '#4aa8ff' : '#8fd0ff', 0.9);
    sketch.rect(stoveX + burner - 36, 310, 72, 5, '#141a1d', 2);
  }
  const pot = random.pick(['#d8543a', '#e0a030', '#2f6f8f', '#c9d2d6', '#3f7f6a']);
  sketch.rect(stoveX + 14, 258, 74, 50, sketch.across(lit(pot, mood, 0.4), pot, shaded(pot, mood, 0.35)), 8);
  sketch.rect(stoveX + 10, 252, 82, 10, shaded(pot, mood, 0.2), 5);
  sketch.circle(stoveX + 51, 248, 6, '#2d3436');
  const sinkX = windowX + 70;
  tap(sketch, sinkX + 60, 328, 80);
  sketch.rect(sinkX, 322, 150, 8, metal(sketch), 3);
  drawPotPlant(sketch, mood, windowX + 250, 328, 72, decor.warm);
  for (const x of [330, 430])
    if (random.chance(0.5)) drawPendant(sketch, mood, x, random.between(40, 70), 36, random.pick([decor.warm, '#2b3236', decor.accent]));
  drawSunPatch(sketch, mood, windowX + 40, 492);
  if (focus === 'clean') {
    for (const shift of [0, 36]) drawBottle(sketch, mood, windowX - 30 + shift, 328, 66, random.pick(['#3fb8a0', '#f2a541', '#6aa5e0']));
    drawBucket(sketch, mood, random.between(340, 460), 580, 72, random.pick(['#2f8fc9', '#d8543a', '#2fa37a']));
  }
}
