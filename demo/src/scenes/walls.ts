import { drawBackdrop, drawView, landOf } from './landscapes.ts';
import { type Mood, drawSky, lit, shaded } from './moods.ts';
import { drawShrub, drawTree } from './plants.ts';
import { drawBottle, drawBucket, drawLadder, drawPendant, drawPotPlant, drawRoom, drawRoomWindow, drawSofa, pickDecor } from './rooms.ts';
import { drawDoor } from './houses.ts';
import { type Sketch, box, mix, to } from './sketch.ts';

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

function drawDoorway(sketch: Sketch, mood: Mood, x: number, y: number) {
  drawDoor(sketch, mood, x, y, 120, 300, sketch.random.pick(['#2a7f78', '#c8443a', '#33507a', '#5a2f4a', '#e0a030']));
  sketch.glow(x - 40, y + 10, 90, '#ffd98a', mood.evening ? 0.8 : 0.25);
  sketch.rect(x - 52, y - 6, 22, 40, '#2b3337', 5);
  sketch.rect(x - 47, y + 2, 12, 24, '#ffe9b0', 3);
}

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

/** A large window seen from within: being cleaned, or newly fitted. */
export function bigWindow(sketch: Sketch, mood: Mood, regionCode: number, kind: 'clean' | 'fit') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  const frame = random.pick(['#2c363b', '#f7f4ec', '#8a5c3a', '#4a5a60']);
  drawRoom(sketch, mood, decor, 500);
  const x = random.between(70, 120);
  const y = 46;
  const w = random.between(560, 620);
  const h = 420;
  sketch.rect(x - 18, y - 18, w + 36, h + 36, lit(frame, mood, 0.08), 3);
  const panes = random.int(2, 3);
  sketch.within({ clip: box(x, y, w, h) }, () => {
    sketch.within({ transform: `translate(${to(x - 60, y - 20)}) scale(0.9)` }, () => {
      drawSky(sketch, mood, 320);
      drawView(sketch, mood, regionCode, 320);
    });
    for (let pane = 0; pane < panes; pane++)
      sketch.poly(
        [
          [x + (w / panes) * (pane + 0.1), y + h],
          [x + (w / panes) * (pane + 0.5), y],
          [x + (w / panes) * (pane + 0.66), y],
          [x + (w / panes) * (pane + 0.26), y + h],
        ],
        '#ffffff',
        0.12,
      );
    if (kind === 'clean') {
      const pane = random.int(0, panes - 1);
      const px = x + (w / panes) * pane;
      sketch.rect(px, y, w / panes, h, '#eef6f8', 0, 0.42);
      for (let foam = 0; foam < 40; foam++)
        sketch.circle(px + random.between(0, w / panes), y + random.between(0, h), random.between(4, 20), '#ffffff', 0.4);
      sketch.path(
        `M${to(px + 20, y + 40)}Q${to(px + w / panes - 30, y + 30, px + w / panes - 30, y + 130)}T${to(px + 40, y + 240)}l0 60Q${to(px + w / panes, y + 300, px + w / panes - 8, y + 130)}T${to(px + 20, y - 20)}Z`,
        mix(mood.sky[1], '#ffffff', 0.2),
        0.55,
      );
    }
  });
  for (let bar = 1; bar < panes; bar++)
    sketch.rect(x + (w / panes) * bar - 9, y, 18, h, sketch.across(lit(frame, mood, 0.2), shaded(frame, mood, 0.2)));
  sketch.rect(x - 30, y + h + 16, w + 60, 16, lit(frame, mood, 0.12), 3);
  sketch.rect(x - 20, y + h + 32, w + 40, 14, mood.shade, 0, 0.18);
  if (kind === 'clean') {
    const sx = random.between(x + 80, x + w - 180);
    const sy = random.between(190, 270);
    sketch.stroke(`M${to(sx + 70, sy + 20)}L${to(sx + 96, sy + 150)}`, random.pick(['#e0a030', '#2f8fc9', '#d8543a']), 15);
    sketch.rect(sx, sy, 144, 16, sketch.down('#dfe5e7', '#8d999f'), 4);
    sketch.rect(sx - 4, sy - 8, 152, 9, '#2b3337', 3);
    drawBucket(sketch, mood, random.between(120, 640), 586, 78, random.pick(['#2f8fc9', '#e0a030', '#2fa37a', '#d8543a']));
    drawBottle(sketch, mood, random.between(240, 560), y + h + 16, 60, random.pick(['#3fb8a0', '#6aa5e0', '#f2a541']));
  } else {
    drawLadder(sketch, mood, random.between(560, 620), 592, 380, 0.3, '#e0a030');
    const gx = random.between(20, 160);
    sketch.within({ transform: `rotate(-7 ${to(gx + 60, 590)})` }, () => {
      sketch.rect(gx, 330, 150, 262, '#c9e3ea', 2, 0.6);
      sketch.stroke(box(gx, 330, 150, 262), '#ffffff', 5, 0.9);
      sketch.poly(
        [
          [gx + 20, 590],
          [gx + 90, 332],
          [gx + 120, 332],
          [gx + 50, 590],
        ],
        '#ffffff',
        0.35,
      );
      for (const cup of [400, 510]) {
        sketch.circle(gx + 75, cup, 21, '#2b3337');
        sketch.rect(gx + 50, cup - 6, 50, 12, '#d8543a', 5);
      }
    });
  }
  drawPotPlant(sketch, mood, random.chance(0.5) ? 40 : 760, 580, 130, decor.warm);
}

export function office(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, { ...decor, floor: mix(decor.floor, '#8b979c', 0.55) }, 430);
  sketch.within({ clip: box(40, 60, 720, 250) }, () => {
    drawSky(sketch, mood, 300);
    drawBackdrop(sketch, mood, 300, regionCode);
    sketch.rect(0, 298, 800, 30, '#6f8f6a');
  });
  for (let bar = 0; bar <= 6; bar++) sketch.rect(34 + bar * 120, 54, 12, 262, lit('#39454b', mood, 0.1));
  for (const y of [54, 304]) sketch.rect(34, y, 732, 12, '#39454b');
  for (let light = 0; light < 4; light++) {
    sketch.rect(90 + light * 180, 0, 90, 14, '#fff7dc', 3);
    sketch.glow(135 + light * 180, 16, 120, '#fff3cc', 0.35);
  }
  const desk = random.pick(['#d8b07a', '#f1ece2', '#b07f50']);
  for (const [x, y, size] of [
    [60, 420, 0.8],
    [470, 420, 0.8],
    [230, 520, 1.1],
  ] as const) {
    sketch.shadow(x + 130 * size, y + 60 * size, 170 * size, 16, 0.4);
    sketch.rect(x + 90 * size, y - 84 * size, 96 * size, 62 * size, '#222c31', 4);
    sketch.rect(x + 95 * size, y - 79 * size, 86 * size, 52 * size, sketch.diagonal(lit(decor.accent, mood, 0.3), '#1b2a32'), 2);
    sketch.rect(x + 132 * size, y - 24 * size, 12 * size, 24 * size, '#3a464c');
    sketch.rect(x, y - 4, 270 * size, 14 * size, sketch.down(lit(desk, mood, 0.3), shaded(desk, mood, 0.12)), 2);
    for (const leg of [8, 250]) sketch.rect(x + leg * size, y + 8, 9 * size, 58 * size, '#39454b');
    sketch.rect(
      x + 96 * size,
      y + 2,
      74 * size,
      50 * size,
      sketch.down(lit(decor.accent, mood, 0.15), shaded(decor.accent, mood, 0.35)),
      12,
    );
    if (random.chance(0.6)) drawPotPlant(sketch, mood, x + 236 * size, y - 4, 56 * size, decor.warm);
  }
  drawBucket(sketch, mood, random.between(620, 700), 582, 80, '#e0b030');
  sketch.stroke('M600 560L680 330', '#c9a06a', 7);
  for (let shrub = 0; shrub < 1; shrub++) drawShrub(sketch, mood, 30, 470, 60, 0);
}
