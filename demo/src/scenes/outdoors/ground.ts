import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';

export function drawLawn(sketch: Sketch, mood: Mood, horizon: number, color: string, striped: boolean) {
  sketch.rect(0, horizon, 800, 600 - horizon, sketch.down(lit(color, mood, 0.22), color, shaded(color, mood, 0.3)));
  if (!striped) return;
  for (let stripe = -9; stripe < 10; stripe += 2) {
    sketch.poly(
      [
        [400 + stripe * 30, horizon],
        [400 + (stripe + 1) * 30, horizon],
        [400 + (stripe + 1) * 130, 600],
        [400 + stripe * 130, 600],
      ],
      mood.light,
      0.16,
    );
  }
}

export function drawPath(
  sketch: Sketch,
  mood: Mood,
  topX: number,
  topY: number,
  topW: number,
  bottomX: number,
  bottomW: number,
  color: string,
) {
  sketch.path(
    `M${to(topX, topY)}h${to(topW)}Q${to(topX + topW + (bottomX - topX) * 0.3, 500, bottomX + bottomW, 602)}H${to(bottomX)}Q${to(topX + (bottomX - topX) * 0.1, 500, topX, topY)}Z`,
    sketch.down(lit(color, mood, 0.25), shaded(color, mood, 0.12)),
  );
}
