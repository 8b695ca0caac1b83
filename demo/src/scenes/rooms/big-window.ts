import { drawBottle, drawBucket } from '../equipment/cleaning.ts';
import { drawLadder } from '../equipment/ladder.ts';
import { drawView } from '../land/view.ts';
import { type Mood, drawSky, lit, shaded } from '../moods.ts';
import { type Sketch, box, mix, to } from '../sketch.ts';
import { drawPotPlant } from './furniture.ts';
import { drawRoom, pickDecor } from './room.ts';

/** A large window seen from within: being cleaned, or newly fitted. */
export function bigWindow(sketch: Sketch, mood: Mood, regionCode: number, kind: 'clean' | 'fit') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  const frame = random.pick(['#2c363b', '#f7f4ec', '#8a5c3a', '#4a5a60']);
  drawRoom(sketch, mood, decor, 500);
  const x = random.between(70, 120);
  const y = 46;
  const w = random.between(560, 620);
  const h = 420;
  sketch.rect(x - 18, y - 18, w + 36, h + 36, lit(frame, mood, 0.08), 3);
  const panes = random.int(2, 3);
  sketch.within({ clip: box(x, y, w, h) }, () => {
    sketch.within({ transform: `translate(${to(x - 60, y - 20)}) scale(0.9)` }, () => {
      drawSky(sketch, mood, 320);
      drawView(sketch, mood, regionCode, 320);
    });
    for (let pane = 0; pane < panes; pane++)
      sketch.poly(
        [
          [x + (w / panes) * (pane + 0.1), y + h],
          [x + (w / panes) * (pane + 0.5), y],
          [x + (w / panes) * (pane + 0.66), y],
          [x + (w / panes) * (pane + 0.26), y + h],
        ],
        '#ffffff',
        0.12,
      );
    if (kind === 'clean') {
      const pane = random.int(0, panes - 1);
      const px = x + (w / panes) * pane;
      sketch.rect(px, y, w / panes, h, '#eef6f8', 0, 0.42);
      for (let foam = 0; foam < 40; foam++)
        sketch.circle(px + random.between(0, w / panes), y + random.between(0, h), random.between(4, 20), '#ffffff', 0.4);
      sketch.path(
        `M${to(px + 20, y + 40)}Q${to(px + w / panes - 30, y + 30, px + w / panes - 30, y + 130)}T${to(px + 40, y + 240)}l0 60Q${to(px + w / panes, y + 300, px + w / panes - 8, y + 130)}T${to(px + 20, y - 20)}Z`,
        mix(mood.sky[1], '#ffffff', 0.2),
        0.55,
      );
    }
  });
  for (let bar = 1; bar < panes; bar++)
    sketch.rect(x + (w / panes) * bar - 9, y, 18, h, sketch.across(lit(frame, mood, 0.2), shaded(frame, mood, 0.2)));
  sketch.rect(x - 30, y + h + 16, w + 60, 16, lit(frame, mood, 0.12), 3);
  sketch.rect(x - 20, y + h + 32, w + 40, 14, mood.shade, 0, 0.18);
  if (kind === 'clean') {
    const sx = random.between(x + 80, x + w - 180);
    const sy = random.between(190, 270);
    sketch.stroke(`M${to(sx + 70, sy + 20)}L${to(sx + 96, sy + 150)}`, random.pick(['#e0a030', '#2f8fc9', '#d8543a']), 15);
    sketch.rect(sx, sy, 144, 16, sketch.down('#dfe5e7', '#8d999f'), 4);
    sketch.rect(sx - 4, sy - 8, 152, 9, '#2b3337', 3);
    drawBucket(sketch, mood, random.between(120, 640), 586, 78, random.pick(['#2f8fc9', '#e0a030', '#2fa37a', '#d8543a']));
    drawBottle(sketch, mood, random.between(240, 560), y + h + 16, 60, random.pick(['#3fb8a0', '#6aa5e0', '#f2a541']));
  } else {
    drawLadder(sketch, mood, random.between(560, 620), 592, 380, 0.3, '#e0a030');
    const gx = random.between(20, 160);
    sketch.within({ transform: `rotate(-7 ${to(gx + 60, 590)})` }, () => {
      sketch.rect(gx, 330, 150, 262, '#c9e3ea', 2, 0.6);
      sketch.stroke(box(gx, 330, 150, 262), '#ffffff', 5, 0.9);
      sketch.poly(
        [
          [gx + 20, 590],
          [gx + 90, 332],
          [gx + 120, 332],
          [gx + 50, 590],
        ],
        '#ffffff',
        0.35,
      );
      for (const cup of [400, 510]) {
        sketch.circle(gx + 75, cup, 21, '#2b3337');
        sketch.rect(gx + 50, cup - 6, 50, 12, '#d8543a', 5);
      }
    });
  }
  drawPotPlant(sketch, mood, random.chance(0.5) ? 40 : 760, 580, 130, decor.warm);
}
