import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';
import { boards, bricks, brickwork } from './cladding.ts';

function corrugated(sketch: Sketch, mood: Mood, outline: string, left: number, right: number, top: number, bottom: number, lean = 0) {
  sketch.within({ clip: outline }, () => {
    let ribs = '';
    for (let x = left - 40; x < right + 40; x += 9) ribs += `M${to(x + lean, top)}L${to(x, bottom)}`;
    sketch.stroke(ribs, mood.shade, 1.5, 0.2);
    sketch.rect(left, top, right - left, (bottom - top) * 0.5, mood.light, 0, 0.1);
  });
}

export function hipRoof(
  sketch: Sketch,
  mood: Mood,
  x: number,
  y: number,
  w: number,
  h: number,
  inset: number,
  color: string,
  tiles = false,
) {
  const outline = `M${to(x, y)}L${to(x + inset, y - h)}H${to(x + w - inset)}L${to(x + w, y)}Z`;
  sketch.path(outline, sketch.down(lit(color, mood, 0.24), shaded(color, mood, 0.18)));
  if (tiles) {
    sketch.within({ clip: outline }, () => {
      let rows = '';
      for (let line = y - h; line < y; line += 11)
        for (let scallop = x - 10; scallop < x + w; scallop += 16) rows += `M${to(scallop + ((line / 11) % 2 ? 8 : 0), line)}q8 9 16 0`;
      sketch.stroke(rows, mood.shade, 1.6, 0.25);
    });
  } else corrugated(sketch, mood, outline, x, x + w, y - h, y, 8);
  sketch.rect(x + inset - 3, y - h - 4, w - inset * 2 + 6, 6, lit(color, mood, 0.35), 3);
  sketch.rect(x - 4, y - 2, w + 8, 9, lit('#f4f1ea', mood, 0.1), 2);
  sketch.rect(x + 6, y + 7, w - 12, 17, sketch.down([mood.shade, 0.42], [mood.shade, 0]));
}

export function gable(sketch: Sketch, mood: Mood, x: number, y: number, w: number, rise: number, wall: string, roof: string) {
  sketch.poly(
    [
      [x, y],
      [x + w / 2, y - rise],
      [x + w, y],
    ],
    lit(wall, mood, 0.08),
  );
  boards(sketch, mood, x + w * 0.3, y - rise * 0.5, w * 0.4, rise * 0.5);
  for (const sign of [-1, 1]) {
    const tip = x + w / 2;
    const end = sign < 0 ? x - 14 : x + w + 14;
    sketch.poly(
      [
        [tip, y - rise - 14],
        [end, y + 6],
        [end + sign * -2, y + 14],
        [tip, y - rise + 4],
      ],
      sketch.down(lit('#f6f2ea', mood, 0.12), shaded('#f6f2ea', mood, 0.1)),
    );
    sketch.poly(
      [
        [tip, y - rise - 22],
        [end + sign * 4, y + 2],
        [end, y + 6],
        [tip, y - rise - 14],
      ],
      sign < 0 ? lit(roof, mood, 0.2) : shaded(roof, mood, 0.15),
    );
  }
}

export function chimney(sketch: Sketch, mood: Mood, x: number, y: number, h: number) {
  const color = sketch.random.pick(bricks);
  sketch.rect(x, y - h, 30, h, sketch.across(lit(color, mood, 0.2), shaded(color, mood, 0.35)));
  brickwork(sketch, mood, x, y - h, 30, h);
  sketch.rect(x - 4, y - h - 7, 38, 9, shaded(color, mood, 0.25), 1);
  sketch.rect(x + 5, y - h - 19, 8, 13, '#b5694a');
  sketch.rect(x + 17, y - h - 19, 8, 13, '#b5694a');
}
