import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';

export function drawWindow(
  sketch: Sketch,
  mood: Mood,
  x: number,
  y: number,
  w: number,
  h: number,
  options: { frame?: string; bars?: 'sash' | 'none' | 'grid' } = {},
) {
  const { random } = sketch;
  const frame = options.frame ?? '#ffffff';
  sketch.rect(x - 5, y - 5, w + 10, h + 10, lit(frame, mood, 0.15), 1);
  const on = mood.evening && random.chance(0.8);
  const glass = on
    ? sketch.down('#ffd98a', '#f3a64f')
    : sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.3), mix(mood.sky[0], '#1b3442', 0.45), mix(mood.sky[0], '#12242e', 0.7));
  sketch.rect(x, y, w, h, glass);
  if (!on)
    sketch.poly(
      [
        [x + w * 0.15, y + h],
        [x + w * 0.5, y],
        [x + w * 0.72, y],
        [x + w * 0.36, y + h],
      ],
      '#ffffff',
      0.16,
    );
  if (random.chance(0.6)) {
    const cloth = on ? '#c9772f' : mix('#f3ece0', mood.shade, 0.25);
    sketch.path(`M${to(x, y)}h${to(w * 0.26)}Q${to(x + w * 0.2, y + h * 0.6, x + w * 0.08, y + h)}H${to(x)}Z`, cloth, 0.7);
    sketch.path(`M${to(x + w, y)}h${to(-w * 0.26)}Q${to(x + w * 0.8, y + h * 0.6, x + w * 0.92, y + h)}H${to(x + w)}Z`, cloth, 0.7);
  }
  const bars = options.bars ?? 'sash';
  if (bars !== 'none') sketch.rect(x, y + h * 0.48, w, 4, frame);
  if (bars === 'grid') sketch.rect(x + w / 2 - 2, y, 4, h, frame);
  sketch.rect(x, y, w, 7, mood.shade, 0, 0.28);
  sketch.rect(x - 8, y + h + 5, w + 16, 6, shaded(frame, mood, 0.12));
  sketch.rect(x - 6, y + h + 11, w + 12, 5, mood.shade, 0, 0.18);
}

export function drawDoor(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, color: string) {
  sketch.rect(x - 6, y - 6, w + 12, h + 6, lit('#ffffff', mood, 0.15));
  sketch.rect(x, y, w, h, sketch.across(lit(color, mood, 0.18), shaded(color, mood, 0.22)));
  sketch.rect(x + w * 0.16, y + h * 0.07, w * 0.68, h * 0.32, mood.evening ? '#ffdf9a' : mix(mood.sky[1], mood.shade, 0.25), 2);
  sketch.rect(x + w * 0.16, y + h * 0.48, w * 0.68, h * 0.42, shaded(color, mood, 0.3), 2, 0.55);
  sketch.circle(x + w * 0.86, y + h * 0.52, 3, '#e9c46a');
  sketch.rect(x, y, w, 8, mood.shade, 0, 0.3);
}
