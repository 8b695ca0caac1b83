import { drawLadder } from '../equipment/ladder.ts';
import { drawBackdrop } from '../land/lands.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawCrown, drawTree } from '../plants.ts';
import { type Sketch, to } from '../sketch.ts';
import { drawFence } from './fence.ts';
import { drawLawn } from './ground.ts';

export function trees(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  drawBackdrop(sketch, mood, 350, regionCode);
  drawLawn(sketch, mood, 348, random.pick(['#6fa046', '#7a9c48', '#5f9350']), false);
  for (let tree = 0; tree < 6; tree++) drawTree(sketch, mood, random.between(-20, 820), random.between(380, 430), random.between(140, 230));
  if (random.chance(0.4)) drawFence(sketch, mood, 436, 54, '#b08d62', 'paling');
  const x = random.between(250, 420);
  const color = random.pick(['#4f8a4b', '#3f7a55', '#6a9a4a', '#2f6b52', '#c9822f', '#b5563a']);
  sketch.shadow(x + 40, 536, 230, 26, 0.5);
  const bark = shaded('#8a6a4f', mood, 0.2);
  sketch.path(
    `M${to(x - 34, 540)}Q${to(x - 12, 420, x - 22, 300)}L${to(x - 90, 210)}l14 -8L${to(x - 4, 276)}L${to(x + 8, 170)}h14L${to(x + 22, 280)}L${to(x + 92, 190)}l12 9L${to(x + 34, 316)}Q${to(x + 24, 430, x + 48, 540)}Z`,
    sketch.across(lit(bark, mood, 0.3), bark, shaded(bark, mood, 0.5)),
  );
  for (const [dx, dy, rx, ry] of [
    [-100, 190, 104, 76],
    [104, 184, 110, 80],
    [0, 120, 132, 92],
    [-40, 232, 84, 46],
  ] as const)
    drawCrown(sketch, mood, x + dx, dy, rx, ry, color, 13);
  sketch.stroke(`M${to(x + 60, 210)}Q${to(x + 76, 400, x + 120, 520)}`, '#e8683a', 3.4);
  drawLadder(sketch, mood, x - 66, 546, 270, 0, '#e0a030');
  for (let log = 0; log < random.int(3, 6); log++) {
    const lx = random.between(520, 700);
    const ly = 556 - (log % 3) * 24;
    sketch.shadow(lx + 30, ly + 14, 56, 8, 0.35);
    sketch.rect(lx, ly - 14, 70, 28, sketch.down(lit('#8f6f50', mood, 0.2), shaded('#7a5a3f', mood, 0.35)), 12);
    sketch.ellipse(lx + 8, ly, 10, 14, '#e0bd8a');
    sketch.ellipse(lx + 8, ly, 5, 8, '#c99a62');
  }
}
