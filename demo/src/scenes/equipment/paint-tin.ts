import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';

export function drawPaintTin(sketch: Sketch, mood: Mood, x: number, base: number, size: number, color: string) {
  sketch.shadow(x + 6, base, size * 0.66, size * 0.14, 0.45);
  sketch.stroke(
    `M${to(x - size * 0.45, base - size * 0.8)}Q${to(x, base - size * 1.5, x + size * 0.45, base - size * 0.8)}`,
    '#7c878d',
    2.6,
  );
  sketch.rect(x - size * 0.48, base - size * 0.86, size * 0.96, size * 0.86, sketch.across('#f3f5f5', '#b9c3c7', '#7f8b91'), 5);
  sketch.rect(
    x - size * 0.48,
    base - size * 0.62,
    size * 0.96,
    size * 0.36,
    sketch.across(lit(color, mood, 0.3), color, shaded(color, mood, 0.3)),
  );
  sketch.ellipse(x, base - size * 0.86, size * 0.48, size * 0.13, '#d3dadd');
  sketch.ellipse(x, base - size * 0.85, size * 0.42, size * 0.1, color);
  sketch.path(`M${to(x + size * 0.16, base - size * 0.78)}v${to(size * 0.3)}q4 10 9 0v${to(-size * 0.34)}Z`, color);
}
