import type { Mood } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';

export const bricks = ['#a85a43', '#b9735a', '#8f4a3c', '#c08b6a', '#9a6a58'] as const;

export function boards(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, gap = 11) {
  let lines = '';
  for (let line = y + gap; line < y + h; line += gap) lines += `M${to(x, line)}H${to(x + w)}`;
  sketch.stroke(lines, mood.shade, 1.3, 0.17);
}

export function brickwork(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number) {
  let lines = '';
  let row = 0;
  for (let line = y; line < y + h; line += 10, row++) {
    lines += `M${to(x, line)}H${to(x + w)}`;
    for (let joint = x + (row % 2 ? 12 : 24); joint < x + w; joint += 24) lines += `M${to(joint, line)}v10`;
  }
  sketch.stroke(lines, '#f3e6d8', 1, 0.28);
  for (let brick = 0; brick < 26; brick++) {
    const bx = x + Math.floor(sketch.random.between(0, w / 24 - 1)) * 24;
    sketch.rect(
      bx,
      y + Math.floor(sketch.random.between(0, h / 10 - 1)) * 10,
      24,
      10,
      sketch.random.chance(0.5) ? mood.shade : mood.light,
      0,
      0.14,
    );
  }
}
