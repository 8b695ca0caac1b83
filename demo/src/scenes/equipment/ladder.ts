import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';

/** Standing open (`spread` > 0) or leaning (0). */
export function drawLadder(sketch: Sketch, mood: Mood, x: number, base: number, height: number, spread: number, color: string) {
  const lean = height * spread;
  if (spread > 0) {
    sketch.shadow(x + lean * 0.3, base, lean, 16, 0.35);
    for (const shift of [26, 70])
      sketch.stroke(
        `M${to(x + shift * 0.55 + 10, base - height)}L${to(x + lean * 0.85 + shift * 0.4, base - 12)}`,
        shaded(color, mood, 0.45),
        6,
      );
  }
  let rungs = '';
  for (let rung = 1; rung < 9; rung++) {
    const y = base - (height * rung) / 9;
    const half = 44 - rung * 2;
    const middle = x + 20 - (lean * 0.35 * (9 - rung)) / 9 + (spread > 0 ? 0 : rung * 3);
    rungs += `M${to(middle - half, y)}h${to(half * 2)}`;
  }
  sketch.stroke(rungs, lit(color, mood, 0.15), 8);
  sketch.stroke(rungs.replaceAll('M', 'M'), shaded(color, mood, 0.35), 2, 0.5);
  const tilt = spread > 0 ? -lean * 0.35 : 0;
  const top = spread > 0 ? 0 : 27;
  sketch.stroke(
    `M${to(x - 24 + tilt, base)}L${to(x - 6 + top, base - height)}`,
    sketch.random.chance(0.5) ? color : lit(color, mood, 0.2),
    9,
  );
  sketch.stroke(`M${to(x + 64 + tilt, base)}L${to(x + 46 + top, base - height)}`, shaded(color, mood, 0.2), 9);
}
