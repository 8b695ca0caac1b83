import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';
import { drawRoom, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

export function switchboard(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor, 520);
  const flip = random.chance(0.5);
  drawRoomWindow(sketch, mood, flip ? 560 : 50, 90, 180, 240, regionCode);
  const x = flip ? 130 : 310;
  sketch.rect(x + 12, 80, 340, 380, mood.shade, 10, 0.25);
  sketch.rect(x, 66, 340, 380, sketch.diagonal('#f4f6f6', '#d9dfe1', '#aeb8bc'), 10);
  sketch.rect(x + 20, 86, 300, 340, sketch.down('#e9edee', '#ccd4d7'), 4);
  for (let row = 0; row < 3; row++) {
    const y = 112 + row * 104;
    sketch.rect(x + 30, y, 280, 76, '#39444a', 4);
    for (let breaker = 0; breaker < 9; breaker++) {
      const bx = x + 38 + breaker * 30;
      const color = random.chance(0.14) ? random.pick(['#10b981', '#e0a030', '#d8543a']) : '#f2f4f4';
      sketch.rect(bx, y + 8, 25, 60, sketch.down(lit(color, mood, 0.3), shaded(color, mood, 0.12)), 3);
      sketch.rect(bx + 7, y + (random.chance(0.85) ? 20 : 34), 11, 22, '#1f282c', 2);
    }
  }
  const cable = ['#d8443a', '#2f8fc9', '#2fa37a', '#e0b030', '#6a4a3a', '#e8e4da'];
  cable.forEach((color, index) =>
    sketch.stroke(`M${to(x + 60 + index * 44, -6)}Q${to(x + 50 + index * 46, 30, x + 70 + index * 40, 68)}`, color, 8),
  );
  sketch.within({ transform: `rotate(${flip ? -12 : 10} ${to(flip ? 560 : 200, 480)})` }, () => {
    const px = flip ? 500 : 130;
    sketch.shadow(px + 60, 566, 90, 12, 0.4);
    sketch.rect(px, 410, 104, 156, sketch.diagonal('#f2b83a', '#d98f1f'), 14);
    sketch.rect(px + 14, 426, 76, 40, '#24333b', 5);
    sketch.rect(px + 24, 440, 46, 10, '#8fe0b0', 3);
    sketch.circle(px + 52, 508, 24, '#2b3337');
    sketch.rect(px + 49, 488, 6, 22, '#f4f4f0', 2);
    sketch.stroke(`M${to(px + 30, 560)}q-40 60 -90 10M${to(px + 74, 560)}q40 60 110 20`, '#c8443a', 5);
  });
}
