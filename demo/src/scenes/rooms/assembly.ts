import { drill, handles } from '../equipment/hand-tools.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';
import { drawRoom, drawSunPatch, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

export function assembly(sketch: Sketch, mood: Mood, regionCode: number, kind: 'shelf' | 'organised') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor);
  const flip = random.chance(0.5);
  drawRoomWindow(sketch, mood, flip ? 70 : 520, 76, 200, 220, regionCode);
  drawSunPatch(sketch, mood, flip ? 140 : 420);
  const wood = random.pick(['#d8b07a', '#f1ece2', '#b07f50', '#8a6a4f', '#e6d5b8']);
  const x = flip ? 360 : 90;
  const w = 340;
  const top = 70;
  sketch.rect(x + 14, top + 14, w, 400, mood.shade, 4, 0.18);
  sketch.rect(x, top, w, 404, shaded(wood, mood, 0.42));
  for (let row = 0; row < 4; row++) {
    const y = top + 14 + row * 98;
    for (let column = 0; column < 3; column++) {
      if (kind === 'shelf' && row + column > 3) continue;
      const cx = x + 16 + column * 108;
      const pick = random.next();
      if (pick < 0.4)
        for (let book = 0; book < 6; book++) {
          const tall = random.between(50, 76);
          sketch.rect(
            cx + book * 14,
            y + 84 - tall,
            12,
            tall,
            random.pick([decor.accent, decor.warm, '#33507a', '#c8543a', '#f1ece2', '#3f6f5c', '#7a4a5a']),
            1,
          );
        }
      else if (pick < 0.75) sketch.rect(cx, y + 30, 88, 54, sketch.across(lit('#cfa86e', mood, 0.25), '#a37e4c'), 8);
      else
        sketch.circle(
          cx + 42,
          y + 56,
          26,
          sketch.radial([lit(decor.accent, mood, 0.4), shaded(decor.accent, mood, 0.2)], [0.35, 0.3], 0.8),
        );
    }
    sketch.rect(x, y + 84, w, 13, sketch.down(lit(wood, mood, 0.3), shaded(wood, mood, 0.1)));
  }
  for (const side of [0, w - 12, w / 3, (w * 2) / 3])
    sketch.rect(x + side, top, 12, 404, sketch.across(lit(wood, mood, 0.2), shaded(wood, mood, 0.2)));
  sketch.rect(x - 6, top - 8, w + 12, 16, lit(wood, mood, 0.3), 2);
  if (kind !== 'shelf') {
    for (const [bx, size] of [
      [flip ? 120 : 520, 120],
      [flip ? 220 : 640, 96],
    ] as const) {
      sketch.shadow(bx + size / 2, 548, size * 0.7, 14, 0.45);
      sketch.rect(bx, 548 - size * 0.7, size, size * 0.7, sketch.across(lit('#cfa86e', mood, 0.3), '#9a7445'), 10);
      sketch.path(
        `M${to(bx + 6, 548 - size * 0.66)}q${to(size * 0.3, -34, size * 0.5, -8)}t${to(size * 0.4, 8)}Z`,
        random.pick([decor.accent, decor.warm, '#f3eee6']),
      );
    }
    return;
  }
  const card = '#c99c66';
  const bx = flip ? 90 : 520;
  sketch.shadow(bx + 90, 562, 130, 16, 0.5);
  sketch.rect(bx, 462, 180, 100, sketch.across(lit(card, mood, 0.25), shaded(card, mood, 0.2)), 3);
  sketch.poly(
    [
      [bx, 462],
      [bx - 44, 432],
      [bx + 46, 430],
      [bx + 90, 462],
    ],
    lit(card, mood, 0.35),
  );
  sketch.poly(
    [
      [bx + 180, 462],
      [bx + 226, 430],
      [bx + 134, 428],
      [bx + 90, 462],
    ],
    shaded(card, mood, 0.12),
  );
  sketch.rect(bx + 78, 462, 22, 100, '#e9d7ae', 0, 0.8);
  for (let plank = 0; plank < 3; plank++)
    sketch.within({ transform: `rotate(${-4 + plank * 3} 420 580)` }, () =>
      sketch.rect(310, 560 - plank * 13, 220, 12, sketch.across(lit(wood, mood, 0.3), shaded(wood, mood, 0.15)), 2),
    );
  sketch.within({ transform: `translate(${to(flip ? 330 : 420, 520)}) scale(0.55)` }, () => drill(sketch, mood, random.pick(handles)));
}
