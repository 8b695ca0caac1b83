import { drawDoor } from '../houses/windows-and-doors.ts';
import { drawBackdrop, landOf } from '../land/lands.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawTree } from '../plants.ts';
import { type Sketch, mix, to } from '../sketch.ts';
import { drawPendant, drawPotPlant, drawSofa } from './furniture.ts';
import { drawRoom, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

function drawDoorway(sketch: Sketch, mood: Mood, x: number, y: number) {
  drawDoor(sketch, mood, x, y, 120, 300, sketch.random.pick(['#2a7f78', '#c8443a', '#33507a', '#5a2f4a', '#e0a030']));
  sketch.glow(x - 40, y + 10, 90, '#ffd98a', mood.evening ? 0.8 : 0.25);
  sketch.rect(x - 52, y - 6, 22, 40, '#2b3337', 5);
  sketch.rect(x - 47, y + 2, 12, 24, '#ffe9b0', 3);
}

export function security(sketch: Sketch, mood: Mood, regionCode: number, kind: 'keypad' | 'camera' | 'smart') {
  const { random } = sketch;
  if (kind === 'camera') {
    drawBackdrop(sketch, mood, 420, regionCode);
    const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
    sketch.rect(0, 418, 800, 190, sketch.down(mix(ground, mood.haze, 0.4), ground));
    drawTree(sketch, mood, 90, 560, 300);
    drawTree(sketch, mood, 210, 580, 240);
    sketch.path('M-10 520Q200 490 420 520V610H-10Z', sketch.down('#6f9f4c', shaded('#5f8a45', mood, 0.3)));
    const wall = random.pick(['#f0ebe0', '#a85a43', '#cfdbd8', '#5d7480', '#d9c3a8', '#8fa08a']);
    sketch.rect(380, 60, 430, 560, sketch.across(lit(wall, mood, 0.2), shaded(wall, mood, 0.18)));
    let seams = '';
    for (let y = 140; y < 600; y += 28) seams += `M380 ${y}H800`;
    sketch.stroke(seams, mood.shade, 2, 0.2);
    sketch.poly(
      [
        [310, 44],
        [810, -40],
        [810, 60],
        [330, 92],
      ],
      shaded(random.pick(['#4a5560', '#7a3b34', '#3f5a52']), mood, 0.2),
    );
    sketch.poly(
      [
        [330, 92],
        [810, 60],
        [810, 96],
        [380, 128],
      ],
      mood.shade,
      0.35,
    );
    sketch.stroke('M318 66L810 20', lit('#f4f1ea', mood, 0.2), 14);
    const x = random.between(430, 470);
    sketch.poly(
      [
        [x + 40, 290],
        [x + 190, 330],
        [x + 160, 380],
        [x + 50, 350],
      ],
      mood.shade,
      0.2,
    );
    sketch.rect(x + 86, 176, 66, 58, sketch.down('#f6f8f8', '#c3ccd0'), 8);
    sketch.rect(x + 104, 224, 26, 52, '#aab5ba', 6);
    sketch.within({ transform: `rotate(${random.int(-18, -8)} ${to(x + 60, 290)})` }, () => {
      sketch.rect(x - 60, 244, 220, 84, sketch.down('#ffffff', '#e3e8ea', '#a9b4b9'), 22);
      sketch.rect(x - 76, 236, 200, 20, sketch.down('#f6f8f8', '#c9d1d4'), 10);
      sketch.circle(x - 36, 286, 38, '#1f282c');
      sketch.circle(x - 38, 286, 24, sketch.radial(['#6fa0c9', '#22415c', '#0d161c'], [0.35, 0.35], 0.8));
      sketch.circle(x - 46, 278, 6, '#ffffff', 0.8);
      sketch.circle(x + 120, 300, 5, '#ff5a4a');
    });
    drawDoorway(sketch, mood, 620, 300);
    return;
  }
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor, 520);
  const flip = random.chance(0.5);
  drawRoomWindow(sketch, mood, flip ? 560 : 50, 90, 190, 260, regionCode);
  drawDoor(sketch, mood, flip ? 70 : 590, 130, 150, 390, random.pick([decor.accent, decor.wood, '#f1ece2', '#33507a']));
  const x = flip ? 290 : 310;
  const y = 130;
  sketch.rect(x + 10, y + 16, 200, 270, mood.shade, 18, 0.25);
  sketch.rect(x, y, 200, 270, sketch.diagonal('#ffffff', '#eceff0', '#c6ced1'), 18);
  if (kind === 'keypad') {
    sketch.rect(x + 20, y + 20, 160, 62, sketch.down('#20303a', '#0f1a20'), 8);
    const glow = random.pick(['#5fe0b8', '#7fc4ff', '#ffd27a']);
    sketch.rect(x + 32, y + 34, 64, 9, glow, 4);
    sketch.rect(x + 32, y + 54, 104, 7, glow, 3, 0.5);
    sketch.glow(x + 100, y + 50, 120, glow, 0.16);
    for (let row = 0; row < 4; row++)
      for (let column = 0; column < 3; column++) {
        sketch.rect(x + 24 + column * 54, y + 98 + row * 40, 44, 30, sketch.down('#ffffff', '#d5dcdf'), 8);
        sketch.circle(x + 46 + column * 54, y + 113 + row * 40, 4, '#7f8c93');
      }
    sketch.circle(x + 164, y + 30, 5, '#ff5a4a');
  } else {
    sketch.rect(x + 12, y + 12, 176, 246, sketch.diagonal('#27424e', '#13242d', '#0c181e'), 12);
    const tiles = random.sample(['#10b981', '#e0a030', '#4f8fd0', '#d8694a', '#8a6fd0', '#3fb8c0'], 6);
    tiles.forEach((tile, index) => {
      sketch.rect(x + 26 + (index % 2) * 78, y + 86 + Math.floor(index / 2) * 54, 70, 46, tile, 9, 0.9);
      sketch.circle(x + 44 + (index % 2) * 78, y + 102 + Math.floor(index / 2) * 54, 7, '#ffffff', 0.85);
    });
    sketch.stroke(`M${to(x + 60, y + 66)}a40 40 0 0 1 80 0`, '#10b981', 9);
    sketch.circle(x + 100, y + 58, 9, '#ffffff');
    drawPendant(sketch, mood, 400, 50, 34, decor.warm);
  }
  drawPotPlant(sketch, mood, flip ? 300 : 520, 560, 130, decor.warm);
  if (random.chance(0.5)) drawSofa(sketch, mood, flip ? 480 : -60, 570, 300, decor.accent, [decor.warm]);
}
