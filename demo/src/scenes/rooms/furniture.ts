import { type Mood, lit, shaded } from '../moods.ts';
import { drawCrown, drawFlax } from '../plants.ts';
import { type Sketch, box, to } from '../sketch.ts';
import type { Decor } from './room.ts';

export function drawPotPlant(sketch: Sketch, mood: Mood, x: number, base: number, size: number, pot: string) {
  const { random } = sketch;
  sketch.shadow(x + 6, base, size * 0.5, size * 0.09, 0.4);
  if (random.chance(0.5)) drawFlax(sketch, mood, x, base - size * 0.34, size * 0.85, random.pick(['#5c8250', '#3f7a5a', '#7a9a5a']));
  else {
    sketch.stroke(`M${to(x, base - size * 0.3)}V${to(base - size * 0.7)}`, shaded('#7a5b40', mood, 0.2), 5);
    drawCrown(sketch, mood, x, base - size * 0.86, size * 0.38, size * 0.34, random.pick(['#4f8a4b', '#2f6b52', '#6a9a4a']), 9);
  }
  sketch.path(
    `M${to(x - size * 0.24, base - size * 0.4)}h${to(size * 0.48)}l${to(-size * 0.07, size * 0.4)}h${to(-size * 0.34)}Z`,
    sketch.across(lit(pot, mood, 0.25), shaded(pot, mood, 0.3)),
  );
  sketch.rect(x - size * 0.26, base - size * 0.42, size * 0.52, size * 0.08, lit(pot, mood, 0.2), 3);
}

export function drawPendant(sketch: Sketch, mood: Mood, x: number, y: number, size: number, color: string) {
  sketch.stroke(`M${to(x, 0)}V${to(y)}`, '#2d3436', 2.4);
  sketch.glow(x, y + size * 0.7, size * 2.6, '#ffe2a0', mood.evening ? 0.7 : 0.38);
  sketch.path(
    `M${to(x - size * 0.14, y)}h${to(size * 0.28)}Q${to(x + size * 0.7, y + size * 0.2, x + size * 0.78, y + size * 0.7)}H${to(x - size * 0.78)}Q${to(x - size * 0.7, y + size * 0.2, x - size * 0.14, y)}Z`,
    sketch.across(lit(color, mood, 0.35), shaded(color, mood, 0.3)),
  );
  sketch.ellipse(x, y + size * 0.7, size * 0.78, size * 0.12, '#fff0c4');
}

export function drawSofa(sketch: Sketch, mood: Mood, x: number, base: number, w: number, color: string, cushions: readonly string[]) {
  sketch.shadow(x + w / 2, base, w * 0.6, 22, 0.5);
  sketch.rect(x + w * 0.06, base - w * 0.4, w * 0.88, w * 0.26, sketch.down(lit(color, mood, 0.2), shaded(color, mood, 0.15)), 18);
  sketch.rect(x + w * 0.08, base - w * 0.22, w * 0.42, w * 0.13, lit(color, mood, 0.12), 12);
  sketch.rect(x + w * 0.5, base - w * 0.22, w * 0.42, w * 0.13, color, 12);
  sketch.rect(x + w * 0.06, base - w * 0.13, w * 0.88, w * 0.09, shaded(color, mood, 0.25), 6);
  for (const side of [0, 0.88])
    sketch.rect(x + w * side, base - w * 0.3, w * 0.12, w * 0.27, sketch.down(lit(color, mood, 0.3), shaded(color, mood, 0.2)), 14);
  for (const side of [0.04, 0.92]) sketch.rect(x + w * side, base - w * 0.04, w * 0.04, w * 0.04, '#3a2a20');
  cushions.forEach((cushion, index) => {
    const cx = x + w * (0.16 + index * (0.62 / Math.max(1, cushions.length - 1)));
    sketch.within({ transform: `rotate(${index % 2 ? 9 : -8} ${to(cx, base - w * 0.28)})` }, () =>
      sketch.rect(
        cx - w * 0.075,
        base - w * 0.34,
        w * 0.15,
        w * 0.14,
        sketch.diagonal(lit(cushion, mood, 0.3), shaded(cushion, mood, 0.2)),
        9,
      ),
    );
  });
}

export function drawRug(sketch: Sketch, mood: Mood, color: string) {
  sketch.ellipse(410, 540, 300, 48, shaded(color, mood, 0.12), 0.9);
  sketch.ellipse(410, 538, 262, 38, lit(color, mood, 0.25), 0.9);
  sketch.ellipse(410, 537, 220, 29, color, 0.9);
}

export function drawArt(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, decor: Decor) {
  sketch.rect(x + 5, y + 8, w, h, mood.shade, 2, 0.2);
  sketch.rect(x, y, w, h, decor.wood, 2);
  sketch.within({ clip: box(x + 6, y + 6, w - 12, h - 12) }, () => {
    sketch.rect(x, y, w, h, lit(decor.warm, mood, 0.5));
    sketch.circle(x + w * sketch.random.between(0.3, 0.7), y + h * 0.36, w * 0.2, decor.warm);
    sketch.path(
      `M${to(x, y + h * 0.62)}Q${to(x + w * 0.3, y + h * 0.4, x + w * 0.6, y + h * 0.64)}T${to(x + w, y + h * 0.55)}V${to(y + h)}H${to(x)}Z`,
      decor.accent,
    );
    sketch.path(
      `M${to(x, y + h * 0.8)}Q${to(x + w * 0.4, y + h * 0.62, x + w, y + h * 0.82)}V${to(y + h)}H${to(x)}Z`,
      shaded(decor.accent, mood, 0.4),
    );
  });
}
