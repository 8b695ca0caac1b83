import { drawLadder } from '../equipment/ladder.ts';
import { drawPaintTin } from '../equipment/paint-tin.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';
import { drawRoom, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

export function paintedRoom(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  const fresh = random.pick(['#2f7f86', '#d9795a', '#7f9f7a', '#e0b04f', '#4f6fa0', '#a86a7f', '#3f5f57', '#c9b08a', '#7fb0bf', '#8a6fa8']);
  drawRoom(sketch, mood, { ...decor, wall: mix('#efeae0', decor.wall, 0.25) });
  const edge = random.between(360, 520);
  // The roller leaves a wandering edge where the new coat ends.
  let d = `M0 0H${to(edge)}`;
  for (let y = 0; y < 422; y += 36) d += `L${to(edge + random.between(-26, 34), y + 10)}V${to(y + 36)}`;
  sketch.path(`${d}V422H0Z`, sketch.across(lit(fresh, mood, 0.12), fresh, lit(fresh, mood, 0.2)));
  drawRoomWindow(sketch, mood, random.between(60, 110), 76, 190, 210, regionCode);
  sketch.path('M-10 470Q120 440 300 456T620 462T810 452V610H-10Z', sketch.down('#f2eee4', shaded('#d9d3c6', mood, 0.12)));
  for (let fold = 0; fold < 9; fold++)
    sketch.stroke(
      `M${to(random.between(0, 760), random.between(480, 590))}q${to(30, random.between(-16, 16), random.between(60, 140), random.between(-10, 10))}`,
      mood.shade,
      3,
      0.12,
    );
  for (let splash = 0; splash < 12; splash++)
    sketch.circle(random.between(60, 740), random.between(490, 590), random.between(2, 6), fresh, 0.8);
  drawLadder(sketch, mood, random.between(470, 540), 540, 380, 0.34, random.pick(['#e0a030', '#b9bec2', '#c98f5a']));
  for (const at of [random.between(160, 220), random.between(270, 320)])
    drawPaintTin(sketch, mood, at, random.between(534, 566), random.between(70, 88), fresh);
  const rollerY = random.between(120, 200);
  sketch.stroke(`M${to(edge - 20, rollerY + 18)}v34h30L${to(edge + 34, 500)}`, '#6b767c', 6);
  sketch.stroke(`M${to(edge + 14, rollerY + 130)}L${to(edge + 34, 500)}`, '#d8503a', 11);
  sketch.rect(edge - 84, rollerY, 128, 36, sketch.down(lit(fresh, mood, 0.35), shaded(fresh, mood, 0.2)), 14);
}
