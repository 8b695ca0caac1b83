import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';
import { boards, bricks, brickwork } from './cladding.ts';
import { chimney, gable, hipRoof } from './roofs.ts';
import { drawDoor, drawWindow } from './windows-and-doors.ts';

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
const doors = ['#c8443a', '#2a7f78', '#e0a030', '#33507a', '#5a2f4a', '#3a6a4a', '#1f2f38', '#d8763a'] as const;

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
