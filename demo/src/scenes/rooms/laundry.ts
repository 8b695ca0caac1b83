import { drawBucket } from '../equipment/cleaning.ts';
import { type Mood, lit } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';
import { metal, tiles } from './fittings.ts';
import { drawPotPlant } from './furniture.ts';
import { drawRoom, drawSunPatch, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

export function laundry(sketch: Sketch, mood: Mood, regionCode: number, focus: 'washer' | 'cylinder') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, { ...decor, floor: mix(decor.floor, '#b9bcb8', 0.6) }, 480);
  tiles(sketch, mood, 0, 210, 800, 120, random.pick(['#cfe0dc', '#f0ece2', '#a9c4cc', '#e0c8b4']), 'metro');
  drawRoomWindow(sketch, mood, 90, 50, 200, 150, regionCode);
  drawSunPatch(sketch, mood, 170, 480);
  const machine = (x: number, open: boolean) => {
    sketch.shadow(x + 95, 538, 120, 16, 0.5);
    sketch.rect(x, 320, 190, 212, sketch.across('#ffffff', '#e6eaeb', '#b9c3c7'), 10);
    sketch.rect(x, 320, 190, 40, sketch.down('#f7f9f9', '#d3dadc'), 10);
    sketch.circle(x + 36, 340, 11, '#8b979d');
    sketch.rect(x + 110, 331, 60, 18, '#22313a', 4);
    sketch.rect(x + 116, 336, 22, 8, '#5fe0b8', 2, 0.8);
    sketch.circle(x + 95, 448, 68, '#c3ccd0');
    sketch.circle(x + 95, 448, 58, sketch.radial(['#6f8a98', '#2b3c46', '#17242b'], [0.4, 0.35], 0.7));
    sketch.path(`M${to(x + 46, 462)}q24 -24 48 -4t52 -8q-6 52 -52 54q-40 0 -48 -42Z`, open ? decor.warm : decor.accent, 0.8);
    sketch.stroke(`M${to(x + 62, 424)}q14 -26 42 -28`, '#ffffff', 6, 0.5);
  };
  if (focus === 'washer') {
    machine(370, true);
    machine(574, false);
    sketch.rect(350, 300, 430, 20, sketch.down(lit(decor.wood, mood, 0.3), decor.wood), 3);
    drawPotPlant(sketch, mood, 740, 300, 70, '#f1ece2');
    for (const shelf of [110, 200]) {
      sketch.rect(380, shelf, 330, 10, decor.wood);
      for (let basket = 0; basket < 3; basket++)
        sketch.rect(
          396 + basket * 106,
          shelf - random.between(40, 64),
          84,
          62,
          sketch.across(lit('#c9a06a', mood, 0.25), '#a98052'),
          6,
          basket % 2 ? 1 : 0.9,
        );
      sketch.rect(380, shelf, 330, 10, lit(decor.wood, mood, 0.1));
    }
    sketch.path('M90 420h180l-20 116h-140Z', sketch.across(lit('#d9b98a', mood, 0.2), '#a8835a'));
    sketch.path('M96 420q30 -60 80 -44t84 44Z', random.pick(['#f3eee6', decor.accent, decor.warm]));
    return;
  }
  const steel = random.chance(0.5);
  sketch.shadow(600, 540, 120, 18, 0.5);
  sketch.rect(510, 130, 180, 404, steel ? metal(sketch) : sketch.across('#ffffff', '#e8ece9', '#b5c0bf'), 34);
  sketch.ellipse(600, 150, 88, 22, '#f6f8f8', 0.8);
  for (const band of [230, 420]) sketch.rect(506, band, 188, 9, '#7f8b90');
  sketch.rect(560, 470, 80, 46, '#dfe5e6', 4);
  sketch.circle(600, 300, 20, '#f5f7f7');
  sketch.stroke('M600 300l9 -11', '#c8443a', 3);
  for (const [x, bend] of [
    [540, 60],
    [600, 30],
    [660, 84],
  ] as const) {
    sketch.stroke(`M${to(x, 134)}V${to(bend)}H${to(x > 600 ? 810 : 360)}V-10`, '#a8653a', 12);
    sketch.stroke(`M${to(x - 2, 134)}V${to(bend - 2)}H${to(x > 600 ? 810 : 360)}`, '#e6a878', 3.4);
  }
  machine(300, false);
  drawBucket(sketch, mood, 210, 574, 72, random.pick(['#e0a030', '#2f8fc9', '#d8543a']));
}
