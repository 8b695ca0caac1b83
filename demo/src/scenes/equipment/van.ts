import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';

export function drawVan(sketch: Sketch, mood: Mood, x: number, base: number, w: number) {
  const { random } = sketch;
  const color = random.pick(['#f4f4f0', '#e9eef0', '#2a7f78', '#33507a', '#e0a030', '#c8543a', '#6a8f9a']);
  const stripe = random.pick(['#10b981', '#e0a030', '#33507a', '#c8443a', '#1f2f38']);
  const h = w * 0.42;
  sketch.shadow(x + w / 2, base + 2, w * 0.58, 17, 0.6);
  sketch.path(
    `M${to(x, base - 16)}V${to(base - h)}q0 -14 16 -14H${to(x + w * 0.68)}q12 0 22 14L${to(x + w * 0.86, base - h * 0.52)}L${to(x + w - 8, base - h * 0.42)}q10 4 10 18V${to(base - 16)}Z`,
    sketch.down(lit(color, mood, 0.4), color, shaded(color, mood, 0.3)),
  );
  sketch.path(
    `M${to(x + w * 0.6, base - h * 0.94)}h${to(w * 0.07)}q8 0 14 10L${to(x + w * 0.82, base - h * 0.52)}H${to(x + w * 0.6)}Z`,
    sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.3), '#2a3d48'),
  );
  sketch.rect(x + w * 0.42, base - h * 0.94, w * 0.14, h * 0.42, sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.2), '#2a3d48'), 4);
  sketch.path(`M${to(x, base - h * 0.36)}H${to(x + w)}V${to(base - h * 0.24)}H${to(x)}Z`, stripe);
  sketch.rect(x, base - 22, w, 10, '#2b3236', 4);
  sketch.rect(x + w * 0.02, base - h - 26, w * 0.56, 6, '#3a444a', 3);
  sketch.rect(x - 10, base - h - 36, w * 0.66, 6, '#c98f5a', 2);
  for (const wheel of [0.2, 0.78]) {
    sketch.circle(x + w * wheel, base - 12, w * 0.082, '#1e2529');
    sketch.circle(x + w * wheel, base - 12, w * 0.045, '#b7c0c4');
  }
  sketch.rect(x + w - 14, base - h * 0.36, 14, 12, mood.evening ? '#fff0b8' : '#f6f3e4', 4);
}
