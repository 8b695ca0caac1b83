import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';

export type Decor = { wall: string; second: string; floor: string; wood: string; accent: string; warm: string };

const decors: readonly Decor[] = [
  { wall: '#e9e2d3', second: '#c9b999', floor: '#b98c5e', wood: '#8a5c3a', accent: '#2a7f78', warm: '#e0a458' },
  { wall: '#d5e0dc', second: '#9dbab2', floor: '#c9a67c', wood: '#9a6b45', accent: '#d8694a', warm: '#f0c06a' },
  { wall: '#dfe4ea', second: '#a9b9c9', floor: '#a9835f', wood: '#6f4d38', accent: '#33507a', warm: '#e89a5a' },
  { wall: '#f0dfd2', second: '#d9a98c', floor: '#9a7456', wood: '#70452f', accent: '#3f6f5c', warm: '#c9542f' },
  { wall: '#dcd9e6', second: '#a79fc2', floor: '#c2a07c', wood: '#7d5a45', accent: '#5b4a8a', warm: '#f2b86a' },
  { wall: '#e2e6d6', second: '#aeb98c', floor: '#b0895f', wood: '#7f5b3d', accent: '#6a7f3a', warm: '#e2a03f' },
  { wall: '#46606a', second: '#33505a', floor: '#b8906a', wood: '#8f6040', accent: '#e0a030', warm: '#f3d9a4' },
  { wall: '#f3eee6', second: '#dcd2c2', floor: '#cdb08a', wood: '#a47a52', accent: '#1f5f6b', warm: '#e07a5f' },
  { wall: '#cfdde6', second: '#8fb0c6', floor: '#bfa080', wood: '#84604a', accent: '#b5483a', warm: '#efc27a' },
  { wall: '#5d6b58', second: '#46543f', floor: '#b48a60', wood: '#8a5f3f', accent: '#d98f4a', warm: '#efe0b8' },
];
export const pickDecor = (sketch: Sketch): Decor => sketch.random.pick(decors);

export function drawRoom(sketch: Sketch, mood: Mood, decor: Decor, floorY = 440) {
  sketch.rect(0, 0, 800, floorY, sketch.down(lit(decor.wall, mood, 0.15), decor.wall, shaded(decor.wall, mood, 0.12)));
  sketch.rect(0, floorY, 800, 600 - floorY, sketch.down(shaded(decor.floor, mood, 0.3), decor.floor, lit(decor.floor, mood, 0.15)));
  let seams = '';
  for (let board = -14; board <= 14; board++) seams += `M${to(400 + board * 42, floorY)}L${to(400 + board * 120, 600)}`;
  sketch.stroke(seams, shaded(decor.floor, mood, 0.7), 1.4, 0.4);
  for (let seam = 0; seam < 22; seam++) {
    const y = floorY + Math.pow(sketch.random.next(), 0.8) * 150;
    const spread = 42 + ((y - floorY) / (600 - floorY)) * 78;
    const board = sketch.random.int(-7, 6);
    sketch.stroke(`M${to(400 + board * spread, y)}h${to(spread)}`, shaded(decor.floor, mood, 0.7), 1.2, 0.35);
  }
  sketch.rect(0, floorY - 18, 800, 18, lit('#f7f4ec', mood, 0.1));
  sketch.rect(0, floorY, 800, 16, sketch.down([mood.shade, 0.28], [mood.shade, 0]));
}

/** Light from the window lies across wall and floor. */
export function drawSunPatch(sketch: Sketch, mood: Mood, x: number, floorY = 440) {
  if (mood.evening) return;
  for (const pane of [0, 92])
    sketch.poly(
      [
        [x + pane, floorY + 18],
        [x + 76 + pane, floorY + 18],
        [x + 150 + pane * 1.25, 590],
        [x + 42 + pane * 1.25, 590],
      ],
      mood.light,
      0.34,
    );
}
