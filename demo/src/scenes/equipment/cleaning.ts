import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';

export function drawBucket(sketch: Sketch, mood: Mood, x: number, base: number, size: number, color: string) {
  sketch.shadow(x + 4, base, size * 0.6, size * 0.13, 0.45);
  sketch.stroke(`M${to(x - size * 0.4, base - size * 0.78)}Q${to(x, base - size * 1.5, x + size * 0.4, base - size * 0.78)}`, '#8a949a', 3);
  sketch.path(
    `M${to(x - size * 0.44, base - size * 0.8)}h${to(size * 0.88)}l${to(-size * 0.11, size * 0.8)}h${to(-size * 0.66)}Z`,
    sketch.across(lit(color, mood, 0.35), color, shaded(color, mood, 0.4)),
  );
  sketch.ellipse(x, base - size * 0.8, size * 0.44, size * 0.11, shaded(color, mood, 0.5));
}

export function drawMop(sketch: Sketch, mood: Mood, x: number, base: number) {
  sketch.stroke(`M${to(x, base - 8)}L${to(x + 66, base - 300)}`, '#c9a06a', 7);
  sketch.path(`M${to(x - 44, base)}q6 -30 38 -32h14q28 6 34 34Z`, sketch.down('#f2f4f2', shaded('#d5dcdc', mood, 0.2)));
}

export function drawBottle(sketch: Sketch, mood: Mood, x: number, base: number, size: number, color: string) {
  sketch.path(
    `M${to(x - size * 0.2, base)}v${to(-size * 0.55)}q0 ${to(-size * 0.14)} ${to(size * 0.12, -size * 0.18)}h${to(size * 0.16)}q${to(size * 0.12, size * 0.04)} ${to(size * 0.12, size * 0.18)}v${to(size * 0.55)}Z`,
    sketch.across(lit(color, mood, 0.45), color, shaded(color, mood, 0.25)),
    0.95,
  );
  sketch.path(
    `M${to(x - size * 0.08, base - size * 0.73)}v${to(-size * 0.16)}h${to(-size * 0.16)}v${to(-size * 0.1)}h${to(size * 0.34)}v${to(size * 0.26)}Z`,
    '#f3f3ee',
  );
  sketch.rect(x - size * 0.2, base - size * 0.42, size * 0.4, size * 0.22, '#ffffff', 2, 0.7);
}
