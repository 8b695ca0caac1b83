import { drawBackdrop, landOf } from './landscapes.ts';
import { type Mood, lit, shaded } from './moods.ts';
import { drawFlax, drawShrub, drawTree } from './plants.ts';
import { type Sketch, box, mix, to } from './sketch.ts';

export type HouseStyle = 'villa' | 'bungalow' | 'brick' | 'terrace' | 'modern';
export const houseStyles: readonly HouseStyle[] = ['villa', 'bungalow', 'brick', 'modern', 'terrace'];

const walls = [
  '#f2eee4',
  '#dfe7e4',
  '#c9d8dc',
  '#e9dcc3',
  '#b9c9bd',
  '#8fa6ad',
  '#f0e2d6',
  '#d9c7c0',
  '#6f8790',
  '#e8e0ea',
  '#cfd8b8',
  '#54707a',
] as const;
const roofs = ['#4a5560', '#7a3b34', '#3f5a52', '#5b5f66', '#8a4a3a', '#33434f', '#6c6f63', '#9a5a44'] as const;
const bricks = ['#a85a43', '#b9735a', '#8f4a3c', '#c08b6a', '#9a6a58'] as const;
const doors = ['#c8443a', '#2a7f78', '#e0a030', '#33507a', '#5a2f4a', '#3a6a4a', '#1f2f38', '#d8763a'] as const;

function drawWindow(
  sketch: Sketch,
  mood: Mood,
  x: number,
  y: number,
  w: number,
  h: number,
  options: { frame?: string; bars?: 'sash' | 'none' | 'grid' } = {},
) {
  const { random } = sketch;
  const frame = options.frame ?? '#ffffff';
  sketch.rect(x - 5, y - 5, w + 10, h + 10, lit(frame, mood, 0.15), 1);
  const on = mood.evening && random.chance(0.8);
  const glass = on
    ? sketch.down('#ffd98a', '#f3a64f')
    : sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.3), mix(mood.sky[0], '#1b3442', 0.45), mix(mood.sky[0], '#12242e', 0.7));
  sketch.rect(x, y, w, h, glass);
  if (!on)
    sketch.poly(
      [
        [x + w * 0.15, y + h],
        [x + w * 0.5, y],
        [x + w * 0.72, y],
        [x + w * 0.36, y + h],
      ],
      '#ffffff',
      0.16,
    );
  if (random.chance(0.6)) {
    const cloth = on ? '#c9772f' : mix('#f3ece0', mood.shade, 0.25);
    sketch.path(`M${to(x, y)}h${to(w * 0.26)}Q${to(x + w * 0.2, y + h * 0.6, x + w * 0.08, y + h)}H${to(x)}Z`, cloth, 0.7);
    sketch.path(`M${to(x + w, y)}h${to(-w * 0.26)}Q${to(x + w * 0.8, y + h * 0.6, x + w * 0.92, y + h)}H${to(x + w)}Z`, cloth, 0.7);
  }
  const bars = options.bars ?? 'sash';
  if (bars !== 'none') sketch.rect(x, y + h * 0.48, w, 4, frame);
  if (bars === 'grid') sketch.rect(x + w / 2 - 2, y, 4, h, frame);
  sketch.rect(x, y, w, 7, mood.shade, 0, 0.28);
  sketch.rect(x - 8, y + h + 5, w + 16, 6, shaded(frame, mood, 0.12));
  sketch.rect(x - 6, y + h + 11, w + 12, 5, mood.shade, 0, 0.18);
}

export function drawDoor(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, color: string) {
  sketch.rect(x - 6, y - 6, w + 12, h + 6, lit('#ffffff', mood, 0.15));
  sketch.rect(x, y, w, h, sketch.across(lit(color, mood, 0.18), shaded(color, mood, 0.22)));
  sketch.rect(x + w * 0.16, y + h * 0.07, w * 0.68, h * 0.32, mood.evening ? '#ffdf9a' : mix(mood.sky[1], mood.shade, 0.25), 2);
  sketch.rect(x + w * 0.16, y + h * 0.48, w * 0.68, h * 0.42, shaded(color, mood, 0.3), 2, 0.55);
  sketch.circle(x + w * 0.86, y + h * 0.52, 3, '#e9c46a');
  sketch.rect(x, y, w, 8, mood.shade, 0, 0.3);
}

function boards(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, gap = 11) {
  let lines = '';
  for (let line = y + gap; line < y + h; line += gap) lines += `M${to(x, line)}H${to(x + w)}`;
  sketch.stroke(lines, mood.shade, 1.3, 0.17);
}

function brickwork(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number) {
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

function corrugated(sketch: Sketch, mood: Mood, outline: string, left: number, right: number, top: number, bottom: number, lean = 0) {
  sketch.within({ clip: outline }, () => {
    let ribs = '';
    for (let x = left - 40; x < right + 40; x += 9) ribs += `M${to(x + lean, top)}L${to(x, bottom)}`;
    sketch.stroke(ribs, mood.shade, 1.5, 0.2);
    sketch.rect(left, top, right - left, (bottom - top) * 0.5, mood.light, 0, 0.1);
  });
}

function hipRoof(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, inset: number, color: string, tiles = false) {
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

function gable(sketch: Sketch, mood: Mood, x: number, y: number, w: number, rise: number, wall: string, roof: string) {
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

function chimney(sketch: Sketch, mood: Mood, x: number, y: number, h: number) {
  const color = sketch.random.pick(bricks);
  sketch.rect(x, y - h, 30, h, sketch.across(lit(color, mood, 0.2), shaded(color, mood, 0.35)));
  brickwork(sketch, mood, x, y - h, 30, h);
  sketch.rect(x - 4, y - h - 7, 38, 9, shaded(color, mood, 0.25), 1);
  sketch.rect(x + 5, y - h - 19, 8, 13, '#b5694a');
  sketch.rect(x + 17, y - h - 19, 8, 13, '#b5694a');
}

/** A house front standing on `base`; returns where its roof and wall are, for ladders and the like. */
export function drawHouse(
  sketch: Sketch,
  mood: Mood,
  style: HouseStyle,
  x: number,
  base: number,
  w: number,
): { eaves: number; ridge: number; left: number; right: number } {
  const { random } = sketch;
  const wall = style === 'brick' ? random.pick(bricks) : random.pick(walls);
  const roof = random.pick(roofs);
  const door = random.pick(doors);
  const trim = random.pick(['#ffffff', '#f4efe2', '#fbf8f0']);
  sketch.shadow(x + w / 2 + 26, base + 4, w * 0.62, 26, 0.5);

  if (style === 'modern') {
    const tall = w * 0.5;
    const cedar = random.pick(['#a8683f', '#8f5a3a', '#b97f4e', '#4f4a46']);
    const pale = random.pick(['#f2f0ea', '#dcdcd6', '#3f4a50', '#e8e1d4']);
    sketch.rect(x + w * 0.42, base - tall * 0.62, w * 0.58, tall * 0.62, sketch.across(lit(pale, mood, 0.12), shaded(pale, mood, 0.16)));
    sketch.rect(x, base - tall, w * 0.46, tall, sketch.across(lit(cedar, mood, 0.22), shaded(cedar, mood, 0.2)));
    let slats = '';
    for (let slat = x + 8; slat < x + w * 0.46; slat += 8) slats += `M${to(slat, base - tall)}V${to(base)}`;
    sketch.stroke(slats, mood.shade, 1.4, 0.22);
    sketch.poly(
      [
        [x - 22, base - tall - 6],
        [x + w * 0.5, base - tall - 28],
        [x + w * 0.5, base - tall - 12],
        [x - 22, base - tall + 10],
      ],
      shaded(roof, mood, 0.2),
    );
    sketch.rect(x + w * 0.4, base - tall * 0.62 - 14, w * 0.66, 16, shaded(roof, mood, 0.15));
    sketch.rect(x + w * 0.46, base - tall * 0.62 + 2, w * 0.54, 20, sketch.down([mood.shade, 0.45], [mood.shade, 0]));
    drawWindow(sketch, mood, x + w * 0.06, base - tall * 0.86, w * 0.32, tall * 0.3, { frame: '#2f3a40', bars: 'none' });
    drawDoor(sketch, mood, x + w * 0.08, base - tall * 0.4, w * 0.1, tall * 0.4, door);
    drawWindow(sketch, mood, x + w * 0.25, base - tall * 0.4, w * 0.12, tall * 0.32, { frame: '#2f3a40', bars: 'none' });
    for (const share of [0.5, 0.67])
      drawWindow(sketch, mood, x + w * share, base - tall * 0.47, w * 0.15, tall * 0.46, { frame: '#2f3a40', bars: 'none' });
    drawWindow(sketch, mood, x + w * 0.86, base - tall * 0.44, w * 0.1, tall * 0.2, { frame: '#2f3a40', bars: 'none' });
    return { eaves: base - tall * 0.62, ridge: base - tall - 20, left: x, right: x + w };
  }

  if (style === 'terrace') {
    const units = 3;
    const each = w / units;
    const tall = w * 0.56;
    for (let unit = 0; unit < units; unit++) {
      const left = x + unit * each;
      const color = random.pick(unit % 2 ? walls : [...bricks, '#d9c7a8', '#7d93a0']);
      sketch.rect(left, base - tall, each, tall, sketch.across(lit(color, mood, 0.16), shaded(color, mood, 0.2)));
      sketch.path(`M${to(left, base - tall)}v-26q${to(each / 2, -34, each, 0)}v26Z`, lit(color, mood, 0.2));
      sketch.rect(left - 2, base - tall - 3, each + 4, 8, trim);
      for (const share of [0.14, 0.58]) drawWindow(sketch, mood, left + each * share, base - tall * 0.86, each * 0.26, tall * 0.26);
      const lace = shaded(random.pick(['#f4efe2', '#2f4a4a', '#34404a', '#ffffff']), mood, 0.1);
      sketch.rect(left + 2, base - tall * 0.52, each - 4, 9, shaded(roof, mood, 0.1));
      let bars = '';
      for (let bar = left + 6; bar < left + each; bar += 8) bars += `M${to(bar, base - tall * 0.52)}v-26`;
      sketch.stroke(`${bars}M${to(left + 4, base - tall * 0.52 - 26)}H${to(left + each - 4)}`, lace, 2);
      sketch.rect(left + 2, base - tall * 0.5, each - 4, 20, sketch.down([mood.shade, 0.4], [mood.shade, 0]));
      drawDoor(sketch, mood, left + each * 0.62, base - tall * 0.38, each * 0.24, tall * 0.38, random.pick(doors));
      drawWindow(sketch, mood, left + each * 0.14, base - tall * 0.36, each * 0.32, tall * 0.24);
    }
    return { eaves: base - tall, ridge: base - tall - 34, left: x, right: x + w };
  }

  const tall = w * (style === 'bungalow' ? 0.3 : 0.34);
  const rise = w * (style === 'bungalow' ? 0.2 : 0.24);
  if (random.chance(0.75)) chimney(sketch, mood, x + w * random.between(0.24, 0.4), base - tall - rise * 0.7, rise * 0.62);
  sketch.rect(x, base - tall, w, tall, sketch.across(lit(wall, mood, 0.14), wall, shaded(wall, mood, 0.2)));
  if (style === 'brick') brickwork(sketch, mood, x, base - tall, w, tall);
  else boards(sketch, mood, x, base - tall, w, tall);
  sketch.rect(x, base - 16, w, 16, shaded('#8a8378', mood, 0.3));
  hipRoof(sketch, mood, x - 20, base - tall, w + 40, rise, w * 0.22, roof, style === 'brick');

  if (style === 'brick') {
    const garage = random.chance(0.7);
    if (garage) {
      const gx = x + w * 0.64;
      sketch.rect(gx - 6, base - tall * 0.78, w * 0.32 + 12, tall * 0.78, trim);
      sketch.rect(gx, base - tall * 0.73, w * 0.32, tall * 0.73, sketch.down(lit('#dfe3e2', mood, 0.2), shaded('#cfd5d5', mood, 0.2)));
      for (let panel = 1; panel < 5; panel++) sketch.rect(gx, base - tall * 0.73 * (panel / 5), w * 0.32, 2.4, mood.shade, 0, 0.25);
    } else drawWindow(sketch, mood, x + w * 0.68, base - tall * 0.74, w * 0.2, tall * 0.4, { bars: 'grid' });
    drawDoor(sketch, mood, x + w * 0.46, base - tall * 0.78, w * 0.1, tall * 0.78, door);
    drawWindow(sketch, mood, x + w * 0.1, base - tall * 0.76, w * 0.26, tall * 0.44, { bars: 'grid' });
    gable(sketch, mood, x + w * 0.04, base - tall, w * 0.38, rise * 0.6, mix(trim, wall, 0.1), roof);
    return { eaves: base - tall, ridge: base - tall - rise, left: x, right: x + w };
  }

  // Villa and bungalow: a gabled bay on one side, a veranda along the rest.
  const bayRight = random.chance(0.5);
  const bayWidth = w * (style === 'villa' ? 0.34 : 0.42);
  const bayX = bayRight ? x + w - bayWidth : x;
  const verandaX = bayRight ? x : x + bayWidth;
  const verandaW = w - bayWidth;
  const frontDoor = verandaX + verandaW * (bayRight ? 0.7 : 0.12);
  drawDoor(sketch, mood, frontDoor, base - tall * 0.8, w * 0.095, tall * 0.8 - 14, door);
  drawWindow(sketch, mood, verandaX + verandaW * (bayRight ? 0.16 : 0.5), base - tall * 0.76, w * 0.14, tall * 0.46);
  const porch = base - tall * 0.98;
  sketch.poly(
    [
      [verandaX - 10, porch + 16],
      [verandaX + 6, porch - 14],
      [verandaX + verandaW - 6, porch - 14],
      [verandaX + verandaW + 10, porch + 16],
    ],
    sketch.down(lit(roof, mood, 0.2), shaded(roof, mood, 0.1)),
  );
  sketch.rect(verandaX, porch + 16, verandaW, 30, sketch.down([mood.shade, 0.4], [mood.shade, 0]));
  sketch.rect(verandaX - 6, base - 18, verandaW + 12, 8, shaded('#b59a78', mood, 0.1));
  for (let post = 0; post <= 3; post++) {
    const at = verandaX + 6 + (post * (verandaW - 18)) / 3;
    sketch.rect(at, porch + 14, 7, base - porch - 30, sketch.across(lit(trim, mood, 0.2), shaded(trim, mood, 0.25)));
    if (style === 'villa') sketch.path(`M${to(at - 14, porch + 16)}q12 2 14 16h7q2 -14 14 -16Z`, trim);
  }
  sketch.rect(bayX - 4, base - tall - 4, bayWidth + 8, tall + 4, sketch.across(lit(wall, mood, 0.24), shaded(wall, mood, 0.1)));
  boards(sketch, mood, bayX - 4, base - tall, bayWidth + 8, tall);
  gable(sketch, mood, bayX - 4, base - tall, bayWidth + 8, rise * 0.95, mix(wall, '#ffffff', 0.3), roof);
  const panes = style === 'villa' ? 2 : 3;
  for (let pane = 0; pane < panes; pane++)
    drawWindow(sketch, mood, bayX + bayWidth * (0.14 + pane * (0.74 / panes)), base - tall * 0.78, bayWidth * (0.58 / panes), tall * 0.48);
  sketch.rect(bayX - 4, base - 16, bayWidth + 8, 16, shaded('#8a8378', mood, 0.3));
  return { eaves: base - tall, ridge: base - tall - rise, left: x, right: x + w };
}

export function drawLawn(sketch: Sketch, mood: Mood, horizon: number, color: string, striped: boolean) {
  sketch.rect(0, horizon, 800, 600 - horizon, sketch.down(lit(color, mood, 0.22), color, shaded(color, mood, 0.3)));
  if (!striped) return;
  for (let stripe = -9; stripe < 10; stripe += 2) {
    sketch.poly(
      [
        [400 + stripe * 30, horizon],
        [400 + (stripe + 1) * 30, horizon],
        [400 + (stripe + 1) * 130, 600],
        [400 + stripe * 130, 600],
      ],
      mood.light,
      0.16,
    );
  }
}

export function drawPath(
  sketch: Sketch,
  mood: Mood,
  topX: number,
  topY: number,
  topW: number,
  bottomX: number,
  bottomW: number,
  color: string,
) {
  sketch.path(
    `M${to(topX, topY)}h${to(topW)}Q${to(topX + topW + (bottomX - topX) * 0.3, 500, bottomX + bottomW, 602)}H${to(bottomX)}Q${to(topX + (bottomX - topX) * 0.1, 500, topX, topY)}Z`,
    sketch.down(lit(color, mood, 0.25), shaded(color, mood, 0.12)),
  );
}

const lawns = ['#6f9f4c', '#5f9350', '#86a852', '#4f8a55', '#7a9c48'] as const;

/** A street scene: region behind, trees, one house, garden in front. Returns where the house is. */
export function drawHomeScene(sketch: Sketch, mood: Mood, regionCode: number, style: HouseStyle = sketch.random.pick(houseStyles)) {
  const { random } = sketch;
  const horizon = random.between(318, 350);
  drawBackdrop(sketch, mood, horizon, regionCode);
  const dry = landOf(regionCode).near === 'outback';
  const lawn = dry ? '#b98a55' : random.pick(lawns);
  drawLawn(sketch, mood, horizon - 2, lawn, random.chance(0.35));
  for (let tree = 0; tree < random.int(2, 4); tree++)
    drawTree(
      sketch,
      mood,
      random.chance(0.5) ? random.between(-10, 150) : random.between(640, 810),
      random.between(430, 460),
      random.between(190, 320),
    );
  const w = random.between(470, 560);
  const x = (800 - w) / 2 + random.between(-70, 70);
  const base = random.between(468, 492);
  const house = drawHouse(sketch, mood, style, x, base, w);
  drawPath(
    sketch,
    mood,
    x + w * random.between(0.4, 0.6),
    base,
    46,
    random.between(250, 430),
    130,
    random.pick(['#cfc8ba', '#b9b3a8', '#d8b99a', '#a9a9a4']),
  );
  for (let shrub = 0; shrub < random.int(6, 10); shrub++) {
    const at = random.between(x - 30, x + w + 30);
    if (random.chance(0.75)) drawShrub(sketch, mood, at, base + random.between(4, 22), random.between(28, 56));
    else drawFlax(sketch, mood, at, base + random.between(6, 20), random.between(36, 60));
  }
  return { ...house, base, x, w };
}

export function drawFence(
  sketch: Sketch,
  mood: Mood,
  y: number,
  h: number,
  color: string,
  kind: 'picket' | 'paling' | 'slats',
  from = -10,
  until = 810,
) {
  if (kind === 'slats') {
    for (let slat = 0; slat < 7; slat++)
      sketch.rect(from, y - h + (slat * h) / 7, until - from, h / 7 - 4, sketch.down(lit(color, mood, 0.25), shaded(color, mood, 0.15)));
    for (let post = from; post < until; post += 118) sketch.rect(post, y - h - 8, 12, h + 12, shaded(color, mood, 0.35));
    return;
  }
  for (const rail of [0.25, 0.72]) sketch.rect(from, y - h * rail - 6, until - from, 8, shaded(color, mood, 0.2));
  const step = kind === 'picket' ? 22 : 19;
  let light = '';
  let dark = '';
  for (let at = from; at < until; at += step) {
    const board =
      kind === 'picket' ? `M${to(at, y)}v${to(-h + 8)}l7 -10l7 10v${to(h - 8)}Z` : box(at, y - h + sketch.random.between(-2, 2), 17.4, h);
    if (sketch.random.chance(0.6)) light += board;
    else dark += board;
  }
  sketch.path(light, sketch.down(lit(color, mood, 0.2), shaded(color, mood, 0.12)));
  sketch.path(dark, sketch.down(lit(color, mood, 0.08), shaded(color, mood, 0.22)));
}
