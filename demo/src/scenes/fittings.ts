import { type Mood, lit, shaded } from './moods.ts';
import {
  type Decor,
  drawBucket,
  drawBottle,
  drawPendant,
  drawPotPlant,
  drawRoom,
  drawRoomWindow,
  drawSunPatch,
  pickDecor,
} from './rooms.ts';
import { type Sketch, box, mix, to } from './sketch.ts';

const metal = (sketch: Sketch) => sketch.across('#eef3f5', '#aab6bc', '#dfe6e9', '#7f8c93');

function tiles(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, color: string, kind: 'square' | 'metro' | 'stack') {
  const [tw, th] = { square: [44, 44], metro: [62, 26], stack: [30, 66] }[kind] as [number, number];
  sketch.rect(x, y, w, h, sketch.diagonal(lit(color, mood, 0.28), color, shaded(color, mood, 0.16)));
  sketch.within({ clip: box(x, y, w, h) }, () => {
    for (let tile = 0; tile < 22; tile++) {
      const column = sketch.random.int(0, Math.ceil(w / tw));
      const row = sketch.random.int(0, Math.ceil(h / th));
      sketch.rect(
        x + column * tw + (kind === 'metro' && row % 2 ? tw / 2 : 0),
        y + row * th,
        tw,
        th,
        sketch.random.chance(0.5) ? '#ffffff' : mood.shade,
        0,
        0.1,
      );
    }
    let grout = '';
    let row = 0;
    for (let line = y; line <= y + h; line += th, row++) {
      grout += `M${to(x, line)}h${to(w)}`;
      for (let joint = x + (kind === 'metro' && row % 2 ? tw / 2 : 0); joint <= x + w; joint += tw)
        grout += `M${to(joint, line)}v${to(th)}`;
    }
    sketch.stroke(grout, mix(color, '#ffffff', 0.6), 2, 0.6);
  });
}

function tap(sketch: Sketch, x: number, y: number, size: number) {
  sketch.stroke(
    `M${to(x, y)}V${to(y - size * 0.7)}q0 ${to(-size * 0.34)} ${to(size * 0.36, -size * 0.34)}t${to(size * 0.3, size * 0.36)}`,
    '#8b989f',
    size * 0.17,
  );
  sketch.stroke(
    `M${to(x - size * 0.03, y)}V${to(y - size * 0.7)}q0 ${to(-size * 0.36)} ${to(size * 0.38, -size * 0.36)}`,
    '#eef3f5',
    size * 0.06,
  );
  sketch.rect(x - size * 0.18, y - size * 0.08, size * 0.36, size * 0.1, '#aab6bc', 3);
}

export function bathroom(sketch: Sketch, mood: Mood, regionCode: number, work: 'clean' | 'plumb') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  const tone = random.pick(['#bfd8d6', '#e6ded0', '#9fc0c6', '#d7c9c0', '#8fb5a6', '#e9e9e4', '#c6cfe0', '#5f8a90', '#d9b8a6']);
  drawRoom(sketch, mood, { ...decor, wall: mix(tone, '#ffffff', 0.7), floor: mix(decor.floor, '#c9c9c4', 0.7) }, 470);
  const flip = random.chance(0.5);
  tiles(sketch, mood, 0, 180, 800, 272, tone, random.pick(['square', 'metro', 'stack'] as const));
  sketch.rect(0, 172, 800, 12, lit('#ffffff', mood, 0.1));
  drawRoomWindow(sketch, mood, flip ? 560 : 90, 50, 150, 130, regionCode);
  drawSunPatch(sketch, mood, flip ? 420 : 220, 460);

  const bathX = flip ? 470 : 30;
  sketch.shadow(bathX + 150, 546, 180, 20, 0.45);
  sketch.path(`M${to(bathX, 400)}h300q0 128 -74 134h-152q-74 -6 -74 -134Z`, sketch.down('#ffffff', mix('#dfe6e8', mood.shade, 0.15)));
  sketch.rect(bathX - 10, 392, 320, 16, sketch.down('#ffffff', '#cfd8da'), 8);
  for (const foot of [60, 224]) sketch.path(`M${to(bathX + foot, 530)}h18l6 18h-30Z`, '#c9a24e');
  tap(sketch, bathX + (flip ? 262 : 30), 394, 74);
  if (random.chance(0.6)) {
    for (let bubble = 0; bubble < 16; bubble++)
      sketch.circle(bathX + random.between(60, 260), 392 - random.between(-4, 16), random.between(8, 18), '#ffffff', 0.8);
  }

  const basinX = flip ? 90 : 430;
  const cabinet = random.pick([decor.wood, decor.accent, '#f0ede6', decor.second]);
  sketch.shadow(basinX + 140, 546, 170, 18, 0.4);
  sketch.rect(basinX, 392, 280, 140, sketch.across(lit(cabinet, mood, 0.2), shaded(cabinet, mood, 0.15)), 4);
  for (const drawer of [0, 1]) {
    sketch.rect(basinX + 8 + drawer * 136, 404, 128, 118, shaded(cabinet, mood, 0.1), 3, 0.6);
    sketch.rect(basinX + 50 + drawer * 136, 424, 44, 6, '#e0b45a', 3);
  }
  sketch.rect(basinX - 12, 378, 304, 18, sketch.down('#fdfcf9', '#d5d3cc'), 3);
  sketch.path(`M${to(basinX + 70, 342)}h140q0 36 -34 38h-72q-34 -2 -34 -38Z`, sketch.down('#ffffff', '#d9e0e2'));
  sketch.ellipse(basinX + 140, 342, 70, 9, '#c9d3d6');
  tap(sketch, basinX + 128, 340, 58);
  const round = random.chance(0.5);
  const glass = sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.6), mix(tone, '#ffffff', 0.35), mix(mood.sky[1], mood.shade, 0.2));
  if (round) {
    sketch.circle(basinX + 140, 186, 92, shaded(decor.wood, mood, 0.05));
    sketch.circle(basinX + 140, 186, 83, glass);
  } else {
    sketch.rect(basinX + 46, 76, 188, 216, shaded(decor.wood, mood, 0.05), 8);
    sketch.rect(basinX + 54, 84, 172, 200, glass, 4);
  }
  sketch.stroke(`M${to(basinX + 92, 216)}l64 -76M${to(basinX + 124, 232)}l36 -42`, '#ffffff', 7, 0.4);
  drawPotPlant(sketch, mood, basinX + 250, 378, 70, decor.warm);
  if (work === 'clean') {
    drawBucket(sketch, mood, 400, 582, 64, random.pick(['#2f8fc9', '#e0a030', '#2fa37a']));
    drawBottle(sketch, mood, basinX + 34, 378, 60, random.pick(['#3fb8a0', '#f2a541', '#6aa5e0']));
  } else {
    sketch.stroke(`M380 580l70 -44`, '#6f7b82', 13);
    sketch.path('M440 548q-4 -24 20 -30l4 14l14 4l6 -16q20 16 2 36q-22 20 -46 -8Z', '#8f9ba1');
  }
}

function cupboards(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, count: number, color: string, knob = '#d9b25a') {
  sketch.rect(x, y, w, h, sketch.down(lit(color, mood, 0.15), shaded(color, mood, 0.15)), 3);
  const each = w / count;
  for (let door = 0; door < count; door++) {
    const left = x + door * each;
    sketch.rect(left + 4, y + 4, each - 8, h - 8, sketch.diagonal(lit(color, mood, 0.22), color), 3);
    sketch.rect(left + 16, y + 16, each - 32, h - 32, shaded(color, mood, 0.14), 2, 0.45);
    sketch.rect(left + (door % 2 ? 14 : each - 20), y + h * 0.4, 6, 26, knob, 3);
  }
}

export function kitchen(sketch: Sketch, mood: Mood, regionCode: number, focus: 'clean' | 'oven' | 'gas' | 'plain') {
  const { random } = sketch;
  const decor: Decor = pickDecor(sketch);
  const doors = random.pick([decor.accent, decor.second, '#eef0ec', decor.wood, '#35505a', '#7f9a86']);
  drawRoom(sketch, mood, decor, 490);
  tiles(
    sketch,
    mood,
    0,
    200,
    800,
    130,
    random.pick(['#f3f1ea', '#cfe0dc', '#e2c9b0', '#a9c4cc', '#dfe3da']),
    random.pick(['metro', 'square', 'stack'] as const),
  );
  const flip = random.chance(0.5);
  const windowX = flip ? 410 : 110;
  drawRoomWindow(sketch, mood, windowX, 60, 270, 210, regionCode);
  cupboards(sketch, mood, flip ? 20 : 460, 30, 320, 150, 3, doors);
  sketch.rect(flip ? 20 : 460, 180, 320, 14, mood.shade, 0, 0.25);
  sketch.rect(
    -10,
    326,
    820,
    22,
    sketch.down(lit(random.pick(['#f4f1ea', '#4b4f52', '#c79b6c']), mood, 0.2), shaded('#b7ada0', mood, 0.1)),
    2,
  );
  cupboards(sketch, mood, -6, 348, 812, 142, 7, doors);
  sketch.rect(-6, 348, 812, 12, mood.shade, 0, 0.28);
  const stoveX = flip ? 110 : 540;
  sketch.rect(stoveX, 322, 180, 170, sketch.across('#e3e8ea', '#9aa5ab'), 4);
  sketch.rect(stoveX + 16, 384, 148, 92, sketch.diagonal('#56636b', '#1d262b'), 6);
  if (focus === 'oven' || mood.evening)
    sketch.rect(
      stoveX + 24,
      392,
      132,
      76,
      sketch.radial([
        ['#ffb44f', 0.85],
        ['#c9531f', 0.3],
      ]),
      4,
    );
  sketch.rect(stoveX + 16, 368, 148, 7, '#f6f8f8', 3);
  for (let knob = 0; knob < 4; knob++) sketch.circle(stoveX + 32 + knob * 38, 350, 8, '#3a454b');
  sketch.rect(stoveX - 4, 316, 188, 10, '#2c3539', 3);
  for (const burner of [48, 130]) {
    if (focus === 'gas')
      for (let flame = -3; flame <= 3; flame++)
        sketch.path(`M${to(stoveX + burner + flame * 9 - 4, 314)}q4 -18 4 -22q4 10 5 22Z`, flame % 2 ? '#4aa8ff' : '#8fd0ff', 0.9);
    sketch.rect(stoveX + burner - 36, 310, 72, 5, '#141a1d', 2);
  }
  const pot = random.pick(['#d8543a', '#e0a030', '#2f6f8f', '#c9d2d6', '#3f7f6a']);
  sketch.rect(stoveX + 14, 258, 74, 50, sketch.across(lit(pot, mood, 0.4), pot, shaded(pot, mood, 0.35)), 8);
  sketch.rect(stoveX + 10, 252, 82, 10, shaded(pot, mood, 0.2), 5);
  sketch.circle(stoveX + 51, 248, 6, '#2d3436');
  const sinkX = windowX + 70;
  tap(sketch, sinkX + 60, 328, 80);
  sketch.rect(sinkX, 322, 150, 8, metal(sketch), 3);
  drawPotPlant(sketch, mood, windowX + 250, 328, 72, decor.warm);
  for (const x of [330, 430])
    if (random.chance(0.5)) drawPendant(sketch, mood, x, random.between(40, 70), 36, random.pick([decor.warm, '#2b3236', decor.accent]));
  drawSunPatch(sketch, mood, windowX + 40, 492);
  if (focus === 'clean') {
    for (const shift of [0, 36]) drawBottle(sketch, mood, windowX - 30 + shift, 328, 66, random.pick(['#3fb8a0', '#f2a541', '#6aa5e0']));
    drawBucket(sketch, mood, random.between(340, 460), 580, 72, random.pick(['#2f8fc9', '#d8543a', '#2fa37a']));
  }
}

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
