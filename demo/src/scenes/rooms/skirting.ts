import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';
import { drawRoom, pickDecor } from './room.ts';

/** A skirting with a bait station and the trail that leads there. */
export function skirting(sketch: Sketch, mood: Mood) {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor, 400);
  const board = lit('#f6f2ea', mood, 0.1);
  sketch.rect(0, 318, 800, 86, sketch.down(board, shaded('#e4ddcf', mood, 0.12)));
  sketch.rect(0, 330, 800, 4, mood.shade, 0, 0.18);
  sketch.rect(0, 402, 800, 22, sketch.down([mood.shade, 0.4], [mood.shade, 0]));
  const hole = random.between(90, 190);
  sketch.path(`M${to(hole, 404)}v-30q0 -30 30 -30t30 30v30Z`, '#20262a');
  sketch.path(`M${to(hole + 6, 404)}v-28q0 -24 24 -24`, '#3a444a', 0.8);
  const box = random.between(440, 520);
  sketch.shadow(box + 90, 506, 130, 18, 0.5);
  const color = random.pick(['#2b3236', '#33443c', '#3a4750']);
  sketch.path(`M${to(box, 500)}v-64q0 -12 14 -14h152q14 2 14 14v64Z`, sketch.down(lit(color, mood, 0.3), shaded(color, mood, 0.3)));
  sketch.path(`M${to(box + 4, 436)}l16 -22h140l16 22Z`, lit(color, mood, 0.35));
  sketch.path(`M${to(box + 18, 500)}v-26q0 -16 18 -16t18 16v26Z`, '#0f1518');
  sketch.rect(box + 78, 450, 82, 32, '#e9b949', 4);
  sketch.path(`M${to(box + 119, 455)}l12 22h-24Z`, '#2b3236');
  let trail = '';
  for (let ant = 0; ant < 26; ant++) {
    const share = ant / 25;
    const x = hole + 34 + (box - hole) * share;
    const y = 412 + Math.sin(share * 5) * 26 + share * 84;
    sketch.ellipse(x, y, 5.5, 3.4, '#20262a');
    sketch.circle(x + 7, y - 1, 2.6, '#20262a');
    trail += `M${to(x - 3, y - 6)}l${to(6, 12)}M${to(x + 2, y - 6)}l${to(-5, 12)}`;
  }
  sketch.stroke(trail, '#20262a', 1.2, 0.8);
  sketch.within({ transform: `translate(${to(random.between(620, 690), 556)}) rotate(-18)` }, () => {
    sketch.shadow(20, 18, 110, 14, 0.4);
    sketch.rect(-80, -26, 150, 40, sketch.down('#e8c24a', '#a87f1e'), 10);
    sketch.rect(62, -34, 34, 56, sketch.down('#f3f1ea', '#b9bcb8'), 10);
    sketch.poly(
      [
        [96, -20],
        [250, -90],
        [250, 60],
        [96, 12],
      ],
      '#fff3c4',
      0.16,
    );
  });
}
