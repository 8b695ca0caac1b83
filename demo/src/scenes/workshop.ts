import { drawBackdrop, landOf } from './landscapes.ts';
import { type Mood, lit, shaded } from './moods.ts';
import { drawShrub, drawTree } from './plants.ts';
import { drawPaintTin, drawRoom, drawRoomWindow, drawSunPatch, pickDecor } from './rooms.ts';
import { drawScaffold, drawVan } from './outdoors.ts';
import { type Sketch, mix, to } from './sketch.ts';

type Tool = (sketch: Sketch, mood: Mood, color: string) => void;
// Each tool is drawn upright around (0, 0), about 150 high, and hangs or lies as its place asks.
const steel = (sketch: Sketch) => sketch.across('#eff3f4', '#b3bdc2', '#7d898f');
const timber = (sketch: Sketch, mood: Mood) => sketch.across(lit('#d3a468', mood, 0.2), '#b07f48', '#8a5f36');

const hammer: Tool = (s, m) => {
  s.rect(-8, -50, 16, 130, timber(s, m), 7);
  s.path('M-46 -72h62q26 0 34 20q-14 -6 -26 -2v8h-70Z', steel(s));
};
const spanner: Tool = (s) => {
  s.rect(-9, -50, 18, 110, steel(s), 5);
  s.path('M-26 -86q-8 30 14 44h24q22 -14 14 -44l-14 -8v26l-12 8l-12 -8v-26Z', steel(s));
  s.circle(0, 68, 21, '#aab5ba');
  s.circle(0, 68, 10, '#4c585e');
};
const screwdriver: Tool = (s, m, color) => {
  s.rect(-5, -20, 10, 96, steel(s), 2);
  s.path('M-5 74h10l4 14h-18Z', '#8f9ba1');
  s.path('M-15 -80q15 -12 30 0l4 44q-10 12 -10 18h-18q0 -6 -10 -18Z', s.across(lit(color, m, 0.4), color, shaded(color, m, 0.4)));
};
const pliers: Tool = (s, m, color) => {
  s.path('M-8 -10q-22 50 -20 92h13q0 -44 20 -78Z', s.across(lit(color, m, 0.3), shaded(color, m, 0.25)));
  s.path('M8 -10q22 50 20 92h-13q0 -44 -20 -78Z', s.across(color, shaded(color, m, 0.4)));
  s.path('M-16 -4q-6 -40 10 -76h4v64h4v-64h4q16 36 10 76Z', steel(s));
  s.circle(0, -8, 8, '#66737a');
};
const saw: Tool = (s, m) => {
  s.path('M-16 -44L-6 92h8L30 -44Z', steel(s));
  s.path('M-30 -92h68q8 0 8 12v32q0 10 -10 10h-60q-14 0 -14 -16t8 -38Zm20 16q-8 22 2 24h30v-24Z', timber(s, m));
};
const level: Tool = (s, m, color) => {
  s.rect(-15, -92, 30, 184, s.across(lit(color, m, 0.35), color, shaded(color, m, 0.35)), 4);
  for (const y of [-66, -12, 44]) {
    s.rect(-9, y, 18, 24, '#e6f27a', 4);
    s.rect(-9, y + 8, 18, 8, '#bcd43f', 2);
  }
};
const brush: Tool = (s, m, color) => {
  s.path('M-9 -90q9 -8 18 0l4 70h-26Z', timber(s, m));
  s.rect(-26, -24, 52, 26, steel(s), 3);
  s.path('M-26 2h52l-3 58q-22 14 -46 0Z', s.down('#e0c596', '#b8935c'));
  s.path('M-25 40h50l-2 22q-22 12 -46 0Z', color);
};
const trowel: Tool = (s, m) => {
  s.rect(-9, -92, 18, 66, timber(s, m), 8);
  s.rect(-4, -30, 8, 24, '#8a969c');
  s.path('M-36 -8h72L0 88Z', steel(s));
};
const wrench: Tool = (s, m, color) => {
  s.rect(-11, -30, 22, 120, s.across(lit(color, m, 0.35), color, shaded(color, m, 0.4)), 8);
  s.path('M-14 -30v-32q0 -30 40 -28v16q-18 0 -18 14h18v16h-16v14Z', steel(s));
};
const drill: Tool = (s, m, color) => {
  s.path('M-62 -56h92q26 0 30 22t-22 22h-100Z', s.down(lit(color, m, 0.35), color, shaded(color, m, 0.3)));
  s.path('M-30 -14h40l16 78h-42Z', s.across('#3a454a', '#20282c'));
  s.rect(-24, 62, 66, 28, s.down(shaded(color, m, 0.1), shaded(color, m, 0.45)), 6);
  s.rect(-84, -46, 24, 24, '#4f5b60', 4);
  s.rect(-116, -37, 34, 6, '#b9c3c7');
  s.rect(-10, -46, 44, 12, '#2b3337', 5, 0.6);
};
const tape: Tool = (s, m, color) => {
  s.rect(-44, -44, 88, 88, s.diagonal(lit(color, m, 0.4), color, shaded(color, m, 0.35)), 22);
  s.circle(0, 0, 27, '#2b3337');
  s.circle(0, 0, 18, lit(color, m, 0.3));
  s.rect(40, 30, 96, 12, '#f2d34f');
  s.stroke('M54 30v7M68 30v7M82 30v7M96 30v7M110 30v7', '#3a3a2a', 2);
};

const kits: Record<string, readonly Tool[]> = {
  general: [hammer, saw, screwdriver, level, spanner, pliers, brush],
  wood: [saw, hammer, level, screwdriver, trowel],
  pipes: [wrench, spanner, pliers, wrench, hammer],
  wires: [screwdriver, pliers, level, screwdriver, spanner],
  paint: [brush, brush, trowel, screwdriver, hammer],
  earth: [trowel, hammer, level, saw, pliers],
};
export type Kit = keyof typeof kits;
const handles = ['#d8443a', '#e0a030', '#2f8fc9', '#2fa37a', '#e8683a', '#5b4a8a', '#1f7f8a'] as const;

export function tools(sketch: Sketch, mood: Mood, regionCode: number, kit: Kit) {
  const { random } = sketch;
  const back = random.pick(['#3f5a60', '#5d6b58', '#d9cdb8', '#7f99a0', '#b98d6a', '#33434f', '#8a9a86', '#c9b39a']);
  sketch.rect(0, 0, 800, 440, sketch.down(lit(back, mood, 0.22), back, shaded(back, mood, 0.25)));
  if (random.chance(0.5)) {
    let holes = '';
    for (let y = 26; y < 420; y += 30)
      for (let x = 20; x < 800; x += 30) holes += `M${to(x - 2.5, y)}a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1 -5 0Z`;
    sketch.path(holes, shaded(back, mood, 0.7), 0.5);
  } else {
    let seams = '';
    for (let x = 0; x < 800; x += random.between(78, 96)) seams += `M${to(x, 0)}V440`;
    sketch.stroke(seams, shaded(back, mood, 0.7), 2.4, 0.4);
  }
  const windowLeft = random.chance(0.5);
  const hasWindow = random.chance(0.6);
  if (hasWindow) drawRoomWindow(sketch, mood, windowLeft ? 60 : 540, 56, 200, 190, regionCode);
  const from = hasWindow && windowLeft ? 370 : 110;
  const until = hasWindow && !windowLeft ? 440 : 700;
  const hung = random.sample(kits[kit] ?? [], hasWindow ? 3 : 5);
  hung.forEach((tool, index) => {
    const x = from + ((until - from) * index) / Math.max(1, hung.length - 1);
    const color = random.pick(handles);
    for (const pass of ['shadow', 'tool'] as const) {
      const shift = pass === 'shadow' ? 9 : 0;
      sketch.within(
        { transform: `translate(${to(x + shift, 216 + shift * 1.4)}) scale(1.4)`, ...(pass === 'shadow' && { opacity: 0.16 }) },
        () => {
          if (pass === 'shadow') sketch.rect(-18, -84, 36, 168, '#000000', 14);
          else tool(sketch, mood, color);
        },
      );
    }
  });
  const wood = random.pick(['#b98554', '#c99a68', '#9a6a44', '#d3ab78']);
  sketch.rect(0, 420, 800, 30, sketch.down([mood.shade, 0], [mood.shade, 0.35]));
  sketch.rect(0, 446, 800, 104, sketch.down(lit(wood, mood, 0.35), wood));
  let grain = '';
  for (let line = 0; line < 12; line++)
    grain += `M${to(random.between(-40, 500), 452 + line * 8)}q${to(random.between(80, 160), random.between(-5, 5), random.between(200, 400), random.between(-3, 3))}`;
  sketch.stroke(grain, shaded(wood, mood, 0.6), 1.6, 0.35);
  sketch.rect(0, 550, 800, 50, sketch.down(shaded(wood, mood, 0.35), shaded(wood, mood, 0.6)));
  const lying: readonly [Tool, number][] = [
    [random.pick([drill, tape]), random.between(110, 190)],
    [random.pick(kits[kit] ?? [hammer]), random.between(330, 420)],
  ];
  for (const [tool, x] of lying) {
    const flat = tool !== drill && tool !== tape;
    sketch.shadow(x, 524, 110, 16, 0.45);
    sketch.within(
      { transform: `translate(${to(x, flat ? 500 : 446)}) ${flat ? `rotate(${random.int(70, 110)}) scale(0.95)` : 'scale(0.9)'}` },
      () => tool(sketch, mood, random.pick(handles)),
    );
  }
  if (kit === 'paint')
    for (const x of [540, 650])
      drawPaintTin(sketch, mood, x, 526, random.between(90, 112), random.pick(['#2f7f86', '#d9795a', '#e0b04f', '#4f6fa0', '#7f9f7a']));
  else {
    const x = random.between(520, 590);
    const color = random.pick(handles);
    sketch.shadow(x + 80, 530, 120, 16, 0.5);
    sketch.stroke(`M${to(x + 46, 428)}v-26h70v26`, '#2b3337', 9);
    sketch.rect(x, 428, 164, 98, sketch.down(lit(color, mood, 0.3), color, shaded(color, mood, 0.35)), 8);
    sketch.rect(x, 464, 164, 8, shaded(color, mood, 0.55));
    for (const latch of [28, 118]) sketch.rect(x + latch, 456, 18, 24, '#dfe4e6', 3);
  }
  sketch.rect(
    windowLeft ? 0 : 400,
    0,
    400,
    440,
    windowLeft ? sketch.across([mood.light, 0.28], [mood.light, 0]) : sketch.across([mood.light, 0], [mood.light, 0.28]),
  );
}

export function site(sketch: Sketch, mood: Mood, regionCode: number, kind: 'frame' | 'tower' | 'demolition') {
  const { random } = sketch;
  const horizon = 360;
  drawBackdrop(sketch, mood, horizon, regionCode);
  const earth = random.pick(['#b9976b', '#a88a66', '#c9a97c', '#9f8a6f']);
  const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
  sketch.rect(0, horizon - 2, 800, 90, mix(ground, mood.haze, 0.2));
  for (let tree = 0; tree < 4; tree++) drawTree(sketch, mood, random.between(0, 800), 420, random.between(120, 200));
  sketch.path('M-10 436Q200 410 420 424T810 420V610H-10Z', sketch.down(lit(earth, mood, 0.25), shaded(earth, mood, 0.2)));
  const pine = random.pick(['#e2b878', '#d8a763', '#ecc78d']);
  const beam = (x: number, y: number, w: number, h: number) =>
    sketch.rect(x, y, w, h, sketch.across(lit(pine, mood, 0.25), shaded(pine, mood, 0.22)));
  if (kind === 'tower') {
    const concrete = random.pick(['#b9bdbf', '#a9b2b8', '#c6bfb2']);
    const x = random.between(180, 300);
    for (let floor = 0; floor < 6; floor++) {
      const y = 500 - floor * 66;
      sketch.rect(x, y - 66, 320, 66, sketch.across(shaded('#8d9aa2', mood, 0.2), shaded('#6d7b84', mood, 0.5)));
      if (floor < 4)
        for (let pane = 0; pane < 6; pane++)
          sketch.rect(
            x + 10 + pane * 52,
            y - 56,
            42,
            48,
            sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.35), mix(mood.sky[0], '#1b3442', 0.4)),
            1,
            random.chance(0.8) ? 0.95 : 0.2,
          );
      else for (let column = 0; column < 5; column++) sketch.rect(x + 4 + column * 75, y - 66, 12, 66, lit(concrete, mood, 0.15));
      sketch.rect(x - 10, y - 72, 340, 12, sketch.down(lit(concrete, mood, 0.3), shaded(concrete, mood, 0.1)));
    }
    const mast = random.chance(0.5) ? x + 400 : x - 90;
    const yellow = '#e8b23a';
    sketch.rect(mast - 7, 50, 14, 460, yellow);
    let lattice = '';
    for (let y = 60; y < 500; y += 22) lattice += `M${to(mast - 7, y)}l14 22m0 -22l-14 22`;
    for (let jib = mast - 250; jib < mast + 120; jib += 20) lattice += `M${to(jib, 78)}l10 -18l10 18`;
    sketch.stroke(lattice, shaded(yellow, mood, 0.35), 2.2);
    sketch.rect(mast - 260, 76, 390, 7, yellow);
    sketch.stroke(`M${to(mast, 22)}L${to(mast - 240, 74)}M${to(mast, 22)}L${to(mast + 120, 74)}M${to(mast, 22)}v40`, '#6b5520', 2.6);
    sketch.rect(mast + 92, 80, 36, 34, '#8a9398');
    sketch.stroke(`M${to(mast - 170, 82)}V${to(150)}`, '#4b5458', 2.4);
    sketch.rect(mast - 204, 150, 68, 9, pine);
    drawScaffold(sketch, mood, x - 20, 506, 360, 132);
  } else {
    const x = random.between(130, 190);
    const w = random.between(430, 490);
    sketch.shadow(x + w / 2, 506, w * 0.6, 22, 0.4);
    sketch.rect(x - 24, 486, w + 48, 22, sketch.down(lit('#c6c4bd', mood, 0.2), shaded('#a9a7a1', mood, 0.25)), 2);
    const top = 300;
    if (random.chance(0.6))
      sketch.rect(x, top + 10, w * 0.42, 176, sketch.across(mix('#9fc0d6', mood.light, 0.2), mix('#7fa5c0', mood.shade, 0.15)));
    for (let stud = 0; stud <= 12; stud++) beam(x + (stud * w) / 12 - 5, top, 10, 188);
    for (const y of [top - 8, top + 88, 478]) beam(x - 10, y, w + 20, 10);
    if (kind === 'frame') {
      for (let truss = 0; truss <= 8; truss++) {
        const at = x + (truss * w) / 8;
        sketch.stroke(`M${to(at - 4, top - 8)}L${to(at + 22, top - 112)}`, shaded(pine, mood, 0.3), 7, 0.8);
      }
      sketch.stroke(`M${to(x - 34, top - 4)}L${to(x + w * 0.5, top - 132)}L${to(x + w + 34, top - 4)}Z`, pine, 10);
      for (const share of [0.22, 0.36, 0.5, 0.64, 0.78]) {
        const height = 128 * (1 - Math.abs(share - 0.5) * 2);
        sketch.stroke(`M${to(x + w * share, top - 4)}v${to(-height)}`, lit(pine, mood, 0.1), 8);
      }
      if (random.chance(0.5)) drawScaffold(sketch, mood, x - 20, 504, w + 40, 170);
    } else {
      sketch.path(
        `M${to(x + w * 0.5, 490)}l40 -60l50 26l36 -48l54 52l60 -22l40 52Z`,
        sketch.down(lit('#b9a08a', mood, 0.2), shaded('#8f7a68', mood, 0.3)),
      );
      const dx = random.between(20, 60);
      const yellow = '#e8a92f';
      sketch.rect(dx + 10, 520, 190, 38, '#2a3134', 19);
      for (let wheel = 0; wheel < 5; wheel++) sketch.circle(dx + 32 + wheel * 36, 539, 11, '#6b767b');
      sketch.path(`M${to(dx + 20, 518)}v-66h58l20 -36h62v102Z`, sketch.down(lit(yellow, mood, 0.3), shaded(yellow, mood, 0.2)));
      sketch.path(`M${to(dx + 92, 462)}l14 -32h40v32Z`, mix(mood.sky[1], '#20303a', 0.35));
      sketch.stroke(`M${to(dx + 150, 470)}L${to(dx + 260, 340)}L${to(dx + 340, 440)}`, shaded(yellow, mood, 0.05), 18);
      sketch.path(`M${to(dx + 318, 430)}l48 6l10 40l-40 14l-26 -22Z`, '#4a5458');
    }
  }
  for (let stack = 0; stack < 4; stack++) beam(random.between(560, 600), 560 - stack * 13, 180, 11);
  if (kind !== 'demolition' && random.chance(0.4)) drawVan(sketch, mood, random.between(20, 120), 590, 230);
  for (let cone = 0; cone < random.int(1, 3); cone++) {
    const x = random.between(260, 520);
    sketch.path(`M${to(x, 584)}l10 -50h12l12 50Z`, '#e8683a');
    sketch.rect(x + 6, 554, 22, 9, '#ffffff');
    sketch.rect(x - 8, 582, 48, 7, '#b94a26', 2);
  }
  for (let shrub = 0; shrub < 3; shrub++) drawShrub(sketch, mood, random.between(0, 800), 440, random.between(24, 40), 0);
}

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
