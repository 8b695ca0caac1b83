import { drawBackdrop, landOf } from './landscapes.ts';
import { type Mood, drawSky, lit, shaded } from './moods.ts';
import { drawCrown, drawFlax, drawTree } from './plants.ts';
import { type Sketch, box, mix, to } from './sketch.ts';

export type Decor = { wall: string; second: string; floor: string; wood: string; accent: string; warm: string };

const decors: readonly Decor[] = [
  { wall: '#e9e2d3', second: '#c9b999', floor: '#b98c5e', wood: '#8a5c3a', accent: '#2a7f78', warm: '#e0a458' },
  { wall: '#d5e0dc', second: '#9dbab2', floor: '#c9a67c', wood: '#9a6b45', accent: '#d8694a', warm: '#f0c06a' },
  { wall: '#dfe4ea', second: '#a9b9c9', floor: '#a9835f', wood: '#6f4d38', accent: '#33507a', warm: '#e89a5a' },
  { wall: '#f0dfd2', second: '#d9a98c', floor: '#9a7456', wood: '#70452f', accent: '#3f6f5c', warm: '#c9542f' },
  { wall: '#dcd9e6', second: '#a79fc2', floor: '#c2a07c', wood: '#7d5a45', accent: '#5b4a8a', warm: '#f2b86a' },
  { wall: '#e2e6d6', second: '#aeb98c', floor: '#b0895f', wood: '#7f5b3d', accent: '#6a7f3a', warm: '#e2a03f' },
  { wall: '#46606a', second: '#33505a', floor: '#b8906a', wood: '#8f6040', accent: '#e0a030', warm: '#f3d9a4' },
  { wall: '#f3eee6', second: '#dcd2c2', floor: '#cdb08a', wood: '#a47a52', accent: '#1f5f6b', warm: '#e07a5f' },
  { wall: '#cfdde6', second: '#8fb0c6', floor: '#bfa080', wood: '#84604a', accent: '#b5483a', warm: '#efc27a' },
  { wall: '#5d6b58', second: '#46543f', floor: '#b48a60', wood: '#8a5f3f', accent: '#d98f4a', warm: '#efe0b8' },
];
export const pickDecor = (sketch: Sketch): Decor => sketch.random.pick(decors);

/** A look outside: region, garden and sky in a frame. */
export function drawRoomWindow(
  sketch: Sketch,
  mood: Mood,
  x: number,
  y: number,
  w: number,
  h: number,
  regionCode: number,
  frame = '#fbf9f4',
) {
  sketch.rect(x - 12, y - 12, w + 24, h + 24, lit(frame, mood, 0.1), 3);
  sketch.within({ clip: box(x, y, w, h) }, () => {
    const scale = Math.max(w / 800, h / 470);
    sketch.within({ transform: `translate(${to(x + w / 2 - 400 * scale, y)}) scale(${scale.toFixed(3)})` }, () => {
      drawSky(sketch, mood, 330);
      drawBackdrop(sketch, mood, 330, regionCode);
      const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
      sketch.rect(-300, 328, 1400, 300, sketch.down(lit(ground, mood, 0.2), shaded(ground, mood, 0.25)));
      drawTree(sketch, mood, sketch.random.between(120, 300), 430, 220);
      drawTree(sketch, mood, sketch.random.between(520, 700), 440, 180);
    });
  });
  sketch.rect(x + w / 2 - 4, y, 8, h, frame);
  sketch.poly(
    [
      [x + w * 0.06, y + h],
      [x + w * 0.3, y],
      [x + w * 0.4, y],
      [x + w * 0.16, y + h],
    ],
    '#ffffff',
    0.16,
  );
  sketch.rect(x - 20, y + h + 10, w + 40, 12, shaded(frame, mood, 0.08), 2);
  sketch.rect(x - 14, y + h + 22, w + 28, 10, mood.shade, 0, 0.14);
}

export function drawRoom(sketch: Sketch, mood: Mood, decor: Decor, floorY = 440) {
  sketch.rect(0, 0, 800, floorY, sketch.down(lit(decor.wall, mood, 0.15), decor.wall, shaded(decor.wall, mood, 0.12)));
  sketch.rect(0, floorY, 800, 600 - floorY, sketch.down(shaded(decor.floor, mood, 0.3), decor.floor, lit(decor.floor, mood, 0.15)));
  let seams = '';
  for (let board = -14; board <= 14; board++) seams += `M${to(400 + board * 42, floorY)}L${to(400 + board * 120, 600)}`;
  sketch.stroke(seams, shaded(decor.floor, mood, 0.7), 1.4, 0.4);
  for (let seam = 0; seam < 22; seam++) {
    const y = floorY + Math.pow(sketch.random.next(), 0.8) * 150;
    const spread = 42 + ((y - floorY) / (600 - floorY)) * 78;
    const board = sketch.random.int(-7, 6);
    sketch.stroke(`M${to(400 + board * spread, y)}h${to(spread)}`, shaded(decor.floor, mood, 0.7), 1.2, 0.35);
  }
  sketch.rect(0, floorY - 18, 800, 18, lit('#f7f4ec', mood, 0.1));
  sketch.rect(0, floorY, 800, 16, sketch.down([mood.shade, 0.28], [mood.shade, 0]));
}

/** Light from the window lies across wall and floor. */
export function drawSunPatch(sketch: Sketch, mood: Mood, x: number, floorY = 440) {
  if (mood.evening) return;
  for (const pane of [0, 92])
    sketch.poly(
      [
        [x + pane, floorY + 18],
        [x + 76 + pane, floorY + 18],
        [x + 150 + pane * 1.25, 590],
        [x + 42 + pane * 1.25, 590],
      ],
      mood.light,
      0.34,
    );
}

export function drawPotPlant(sketch: Sketch, mood: Mood, x: number, base: number, size: number, pot: string) {
  const { random } = sketch;
  sketch.shadow(x + 6, base, size * 0.5, size * 0.09, 0.4);
  if (random.chance(0.5)) drawFlax(sketch, mood, x, base - size * 0.34, size * 0.85, random.pick(['#5c8250', '#3f7a5a', '#7a9a5a']));
  else {
    sketch.stroke(`M${to(x, base - size * 0.3)}V${to(base - size * 0.7)}`, shaded('#7a5b40', mood, 0.2), 5);
    drawCrown(sketch, mood, x, base - size * 0.86, size * 0.38, size * 0.34, random.pick(['#4f8a4b', '#2f6b52', '#6a9a4a']), 9);
  }
  sketch.path(
    `M${to(x - size * 0.24, base - size * 0.4)}h${to(size * 0.48)}l${to(-size * 0.07, size * 0.4)}h${to(-size * 0.34)}Z`,
    sketch.across(lit(pot, mood, 0.25), shaded(pot, mood, 0.3)),
  );
  sketch.rect(x - size * 0.26, base - size * 0.42, size * 0.52, size * 0.08, lit(pot, mood, 0.2), 3);
}

export function drawPendant(sketch: Sketch, mood: Mood, x: number, y: number, size: number, color: string) {
  sketch.stroke(`M${to(x, 0)}V${to(y)}`, '#2d3436', 2.4);
  sketch.glow(x, y + size * 0.7, size * 2.6, '#ffe2a0', mood.evening ? 0.7 : 0.38);
  sketch.path(
    `M${to(x - size * 0.14, y)}h${to(size * 0.28)}Q${to(x + size * 0.7, y + size * 0.2, x + size * 0.78, y + size * 0.7)}H${to(x - size * 0.78)}Q${to(x - size * 0.7, y + size * 0.2, x - size * 0.14, y)}Z`,
    sketch.across(lit(color, mood, 0.35), shaded(color, mood, 0.3)),
  );
  sketch.ellipse(x, y + size * 0.7, size * 0.78, size * 0.12, '#fff0c4');
}

export function drawSofa(sketch: Sketch, mood: Mood, x: number, base: number, w: number, color: string, cushions: readonly string[]) {
  sketch.shadow(x + w / 2, base, w * 0.6, 22, 0.5);
  sketch.rect(x + w * 0.06, base - w * 0.4, w * 0.88, w * 0.26, sketch.down(lit(color, mood, 0.2), shaded(color, mood, 0.15)), 18);
  sketch.rect(x + w * 0.08, base - w * 0.22, w * 0.42, w * 0.13, lit(color, mood, 0.12), 12);
  sketch.rect(x + w * 0.5, base - w * 0.22, w * 0.42, w * 0.13, color, 12);
  sketch.rect(x + w * 0.06, base - w * 0.13, w * 0.88, w * 0.09, shaded(color, mood, 0.25), 6);
  for (const side of [0, 0.88])
    sketch.rect(x + w * side, base - w * 0.3, w * 0.12, w * 0.27, sketch.down(lit(color, mood, 0.3), shaded(color, mood, 0.2)), 14);
  for (const side of [0.04, 0.92]) sketch.rect(x + w * side, base - w * 0.04, w * 0.04, w * 0.04, '#3a2a20');
  cushions.forEach((cushion, index) => {
    const cx = x + w * (0.16 + index * (0.62 / Math.max(1, cushions.length - 1)));
    sketch.within({ transform: `rotate(${index % 2 ? 9 : -8} ${to(cx, base - w * 0.28)})` }, () =>
      sketch.rect(
        cx - w * 0.075,
        base - w * 0.34,
        w * 0.15,
        w * 0.14,
        sketch.diagonal(lit(cushion, mood, 0.3), shaded(cushion, mood, 0.2)),
        9,
      ),
    );
  });
}

function drawRug(sketch: Sketch, mood: Mood, color: string) {
  sketch.ellipse(410, 540, 300, 48, shaded(color, mood, 0.12), 0.9);
  sketch.ellipse(410, 538, 262, 38, lit(color, mood, 0.25), 0.9);
  sketch.ellipse(410, 537, 220, 29, color, 0.9);
}

function drawArt(sketch: Sketch, mood: Mood, x: number, y: number, w: number, h: number, decor: Decor) {
  sketch.rect(x + 5, y + 8, w, h, mood.shade, 2, 0.2);
  sketch.rect(x, y, w, h, decor.wood, 2);
  sketch.within({ clip: box(x + 6, y + 6, w - 12, h - 12) }, () => {
    sketch.rect(x, y, w, h, lit(decor.warm, mood, 0.5));
    sketch.circle(x + w * sketch.random.between(0.3, 0.7), y + h * 0.36, w * 0.2, decor.warm);
    sketch.path(
      `M${to(x, y + h * 0.62)}Q${to(x + w * 0.3, y + h * 0.4, x + w * 0.6, y + h * 0.64)}T${to(x + w, y + h * 0.55)}V${to(y + h)}H${to(x)}Z`,
      decor.accent,
    );
    sketch.path(
      `M${to(x, y + h * 0.8)}Q${to(x + w * 0.4, y + h * 0.62, x + w, y + h * 0.82)}V${to(y + h)}H${to(x)}Z`,
      shaded(decor.accent, mood, 0.4),
    );
  });
}

export function drawBucket(sketch: Sketch, mood: Mood, x: number, base: number, size: number, color: string) {
  sketch.shadow(x + 4, base, size * 0.6, size * 0.13, 0.45);
  sketch.stroke(`M${to(x - size * 0.4, base - size * 0.78)}Q${to(x, base - size * 1.5, x + size * 0.4, base - size * 0.78)}`, '#8a949a', 3);
  sketch.path(
    `M${to(x - size * 0.44, base - size * 0.8)}h${to(size * 0.88)}l${to(-size * 0.11, size * 0.8)}h${to(-size * 0.66)}Z`,
    sketch.across(lit(color, mood, 0.35), color, shaded(color, mood, 0.4)),
  );
  sketch.ellipse(x, base - size * 0.8, size * 0.44, size * 0.11, shaded(color, mood, 0.5));
}

function drawMop(sketch: Sketch, mood: Mood, x: number, base: number) {
  sketch.stroke(`M${to(x, base - 8)}L${to(x + 66, base - 300)}`, '#c9a06a', 7);
  sketch.path(`M${to(x - 44, base)}q6 -30 38 -32h14q28 6 34 34Z`, sketch.down('#f2f4f2', shaded('#d5dcdc', mood, 0.2)));
}

export function drawBottle(sketch: Sketch, mood: Mood, x: number, base: number, size: number, color: string) {
  sketch.path(
    `M${to(x - size * 0.2, base)}v${to(-size * 0.55)}q0 ${to(-size * 0.14)} ${to(size * 0.12, -size * 0.18)}h${to(size * 0.16)}q${to(size * 0.12, size * 0.04)} ${to(size * 0.12, size * 0.18)}v${to(size * 0.55)}Z`,
    sketch.across(lit(color, mood, 0.45), color, shaded(color, mood, 0.25)),
    0.95,
  );
  sketch.path(
    `M${to(x - size * 0.08, base - size * 0.73)}v${to(-size * 0.16)}h${to(-size * 0.16)}v${to(-size * 0.1)}h${to(size * 0.34)}v${to(size * 0.26)}Z`,
    '#f3f3ee',
  );
  sketch.rect(x - size * 0.2, base - size * 0.42, size * 0.4, size * 0.22, '#ffffff', 2, 0.7);
}

export function livingRoom(sketch: Sketch, mood: Mood, regionCode: number, work: 'clean' | 'plain' | 'lights') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor);
  const windowLeft = random.chance(0.5);
  drawRoomWindow(sketch, mood, windowLeft ? 90 : 450, 82, 250, 220, regionCode);
  const artX = windowLeft ? 500 : 120;
  if (random.chance(0.6)) drawArt(sketch, mood, artX, 110, 130, 160, decor);
  else {
    drawArt(sketch, mood, artX - 20, 120, 90, 116, decor);
    drawArt(sketch, mood, artX + 90, 100, 110, 140, decor);
  }
  drawSunPatch(sketch, mood, windowLeft ? 220 : 360);
  drawRug(sketch, mood, random.chance(0.5) ? decor.accent : decor.second);
  drawSofa(
    sketch,
    mood,
    random.between(170, 270),
    505,
    random.between(330, 380),
    random.chance(0.5) ? decor.accent : decor.second,
    random.sample([decor.warm, '#f3eee2', decor.wood, decor.accent], random.int(2, 3)),
  );
  drawPotPlant(
    sketch,
    mood,
    random.chance(0.5) ? 92 : 706,
    500,
    random.between(110, 150),
    random.pick([decor.warm, '#f1ece2', decor.wood]),
  );
  if (work === 'lights')
    for (const x of random.chance(0.5) ? [260, 400, 540] : [400])
      drawPendant(sketch, mood, x, random.between(70, 110), x === 400 ? 54 : 40, random.pick([decor.accent, '#2b3236', decor.warm]));
  if (work !== 'clean') return;
  drawMop(sketch, mood, random.between(560, 620), 560);
  drawBucket(sketch, mood, random.between(660, 700), 574, 74, random.pick(['#2f8fc9', '#e0a030', '#d8543a', '#2fa37a']));
  for (const shift of [0, 34])
    drawBottle(sketch, mood, 130 + shift, 572, 66 + shift * 0.3, random.pick(['#3fb8a0', '#f2a541', '#6aa5e0', '#e0688a']));
}

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

export function drawPaintTin(sketch: Sketch, mood: Mood, x: number, base: number, size: number, color: string) {
  sketch.shadow(x + 6, base, size * 0.66, size * 0.14, 0.45);
  sketch.stroke(
    `M${to(x - size * 0.45, base - size * 0.8)}Q${to(x, base - size * 1.5, x + size * 0.45, base - size * 0.8)}`,
    '#7c878d',
    2.6,
  );
  sketch.rect(x - size * 0.48, base - size * 0.86, size * 0.96, size * 0.86, sketch.across('#f3f5f5', '#b9c3c7', '#7f8b91'), 5);
  sketch.rect(
    x - size * 0.48,
    base - size * 0.62,
    size * 0.96,
    size * 0.36,
    sketch.across(lit(color, mood, 0.3), color, shaded(color, mood, 0.3)),
  );
  sketch.ellipse(x, base - size * 0.86, size * 0.48, size * 0.13, '#d3dadd');
  sketch.ellipse(x, base - size * 0.85, size * 0.42, size * 0.1, color);
  sketch.path(`M${to(x + size * 0.16, base - size * 0.78)}v${to(size * 0.3)}q4 10 9 0v${to(-size * 0.34)}Z`, color);
}

/** Standing open (`spread` > 0) or leaning (0). */
export function drawLadder(sketch: Sketch, mood: Mood, x: number, base: number, height: number, spread: number, color: string) {
  const lean = height * spread;
  if (spread > 0) {
    sketch.shadow(x + lean * 0.3, base, lean, 16, 0.35);
    for (const shift of [26, 70])
      sketch.stroke(
        `M${to(x + shift * 0.55 + 10, base - height)}L${to(x + lean * 0.85 + shift * 0.4, base - 12)}`,
        shaded(color, mood, 0.45),
        6,
      );
  }
  let rungs = '';
  for (let rung = 1; rung < 9; rung++) {
    const y = base - (height * rung) / 9;
    const half = 44 - rung * 2;
    const middle = x + 20 - (lean * 0.35 * (9 - rung)) / 9 + (spread > 0 ? 0 : rung * 3);
    rungs += `M${to(middle - half, y)}h${to(half * 2)}`;
  }
  sketch.stroke(rungs, lit(color, mood, 0.15), 8);
  sketch.stroke(rungs.replaceAll('M', 'M'), shaded(color, mood, 0.35), 2, 0.5);
  const tilt = spread > 0 ? -lean * 0.35 : 0;
  const top = spread > 0 ? 0 : 27;
  sketch.stroke(
    `M${to(x - 24 + tilt, base)}L${to(x - 6 + top, base - height)}`,
    sketch.random.chance(0.5) ? color : lit(color, mood, 0.2),
    9,
  );
  sketch.stroke(`M${to(x + 64 + tilt, base)}L${to(x + 46 + top, base - height)}`, shaded(color, mood, 0.2), 9);
}
