import { drawFence, drawHomeScene, drawLawn, drawPath, drawHouse, houseStyles } from './houses.ts';
import { drawBackdrop, landOf } from './landscapes.ts';
import { type Mood, lit, shaded } from './moods.ts';
import { drawCrown, drawFlax, drawShrub, drawTree } from './plants.ts';
import { drawLadder, drawPaintTin } from './rooms.ts';
import { type Sketch, mix, to } from './sketch.ts';

export type HouseWork = 'none' | 'ladder' | 'van' | 'paint' | 'scaffold' | 'wash';

export function house(sketch: Sketch, mood: Mood, regionCode: number, work: HouseWork) {
  const { random } = sketch;
  const styles = work === 'scaffold' || work === 'paint' ? (['villa', 'bungalow', 'brick'] as const) : houseStyles;
  const home = drawHomeScene(sketch, mood, regionCode, random.pick(styles));
  if (work === 'ladder')
    drawLadder(
      sketch,
      mood,
      home.left + home.w * random.between(0.3, 0.6),
      home.base + 14,
      home.base - home.eaves + 40,
      0,
      random.pick(['#e0a030', '#c3cacd', '#d8643a']),
    );
  if (work === 'paint') {
    drawLadder(sketch, mood, home.left + home.w * random.between(0.5, 0.7), home.base + 24, home.base - home.eaves + 10, 0.3, '#e0a030');
    for (const shift of [0, 66])
      drawPaintTin(sketch, mood, home.left + 110 + shift, home.base + 64, 62, random.pick(['#2f7f86', '#d9795a', '#7f9f7a', '#4f6fa0']));
  }
  if (work === 'scaffold') drawScaffold(sketch, mood, home.left - 26, home.base + 6, home.w + 52, home.base - home.eaves + 40);
  if (work === 'van') drawVan(sketch, mood, random.between(30, 380), 572, 320);
  if (random.chance(0.25) && work !== 'van')
    drawFence(
      sketch,
      mood,
      596,
      random.between(46, 60),
      random.pick(['#ffffff', '#c9a47a', '#4b5860']),
      random.pick(['picket', 'slats'] as const),
    );
}

export function drawVan(sketch: Sketch, mood: Mood, x: number, base: number, w: number) {
  const { random } = sketch;
  const color = random.pick(['#f4f4f0', '#e9eef0', '#2a7f78', '#33507a', '#e0a030', '#c8543a', '#6a8f9a']);
  const stripe = random.pick(['#10b981', '#e0a030', '#33507a', '#c8443a', '#1f2f38']);
  const h = w * 0.42;
  sketch.shadow(x + w / 2, base + 2, w * 0.58, 17, 0.6);
  sketch.path(
    `M${to(x, base - 16)}V${to(base - h)}q0 -14 16 -14H${to(x + w * 0.68)}q12 0 22 14L${to(x + w * 0.86, base - h * 0.52)}L${to(x + w - 8, base - h * 0.42)}q10 4 10 18V${to(base - 16)}Z`,
    sketch.down(lit(color, mood, 0.4), color, shaded(color, mood, 0.3)),
  );
  sketch.path(
    `M${to(x + w * 0.6, base - h * 0.94)}h${to(w * 0.07)}q8 0 14 10L${to(x + w * 0.82, base - h * 0.52)}H${to(x + w * 0.6)}Z`,
    sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.3), '#2a3d48'),
  );
  sketch.rect(x + w * 0.42, base - h * 0.94, w * 0.14, h * 0.42, sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.2), '#2a3d48'), 4);
  sketch.path(`M${to(x, base - h * 0.36)}H${to(x + w)}V${to(base - h * 0.24)}H${to(x)}Z`, stripe);
  sketch.rect(x, base - 22, w, 10, '#2b3236', 4);
  sketch.rect(x + w * 0.02, base - h - 26, w * 0.56, 6, '#3a444a', 3);
  sketch.rect(x - 10, base - h - 36, w * 0.66, 6, '#c98f5a', 2);
  for (const wheel of [0.2, 0.78]) {
    sketch.circle(x + w * wheel, base - 12, w * 0.082, '#1e2529');
    sketch.circle(x + w * wheel, base - 12, w * 0.045, '#b7c0c4');
  }
  sketch.rect(x + w - 14, base - h * 0.36, 14, 12, mood.evening ? '#fff0b8' : '#f6f3e4', 4);
}

export function drawScaffold(sketch: Sketch, mood: Mood, x: number, base: number, w: number, h: number) {
  let poles = '';
  let braces = '';
  const bays = 5;
  for (let bay = 0; bay <= bays; bay++) {
    poles += `M${to(x + (bay * w) / bays, base)}v${to(-h - 50)}`;
    if (bay < bays && bay % 2 === 0) braces += `M${to(x + (bay * w) / bays, base)}l${to(w / bays, -h / 2)}`;
  }
  sketch.stroke(braces, '#7a868c', 3.4, 0.9);
  for (const level of [0.5, 1]) {
    sketch.rect(x - 8, base - h * level, w + 16, 10, sketch.down(lit('#c99a5e', mood, 0.25), shaded('#a87a45', mood, 0.2)), 2);
    sketch.rect(x - 8, base - h * level + 10, w + 16, 12, mood.shade, 0, 0.16);
    poles += `M${to(x - 8, base - h * level - 34)}H${to(x + w + 8)}`;
  }
  sketch.stroke(poles, '#9aa5aa', 6);
  sketch.stroke(poles, '#e3e8ea', 1.8, 0.8);
}

export function roof(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  drawBackdrop(sketch, mood, 300, regionCode);
  const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
  sketch.rect(0, 298, 800, 302, sketch.down(mix(ground, mood.haze, 0.3), shaded(ground, mood, 0.2)));
  for (let tree = 0; tree < 6; tree++) drawTree(sketch, mood, random.between(0, 800), random.between(400, 440), random.between(120, 230));
  const color = random.pick(['#5b6770', '#8a4136', '#3f5f58', '#4f5b66', '#a5583f', '#2f434f', '#7a7466', '#b5553a']);
  const ridgeY = random.between(190, 240);
  const left = random.between(60, 140);
  const right = random.between(650, 730);
  const outline = `M${to(left, ridgeY)}H${to(right)}L${to(right + 190, 640)}H${to(left - 190)}Z`;
  sketch.path(outline, sketch.diagonal(lit(color, mood, 0.34), color, shaded(color, mood, 0.3)));
  const tiled = random.chance(0.45);
  sketch.within({ clip: outline }, () => {
    if (tiled) {
      let rows = '';
      let lip = '';
      let row = 0;
      for (let y = ridgeY; y < 620; row++) {
        const size = 26 + (y - ridgeY) * 0.06;
        for (let x = -60 - (row % 2) * size; x < 860; x += size * 2) rows += `M${to(x, y)}q${to(size, size * 0.9, size * 2, 0)}`;
        lip += `M-60 ${to(y)}H860`;
        y += size * 0.86;
      }
      sketch.stroke(rows, shaded(color, mood, 0.8), 4, 0.4);
      sketch.stroke(lip, mood.light, 2, 0.12);
      for (let tile = 0; tile < 26; tile++)
        sketch.rect(random.between(0, 760), random.between(ridgeY, 580), 50, 22, random.chance(0.5) ? mood.light : mood.shade, 6, 0.12);
    } else {
      let dark = '';
      let bright = '';
      for (let rib = -22; rib <= 22; rib++) {
        dark += `M${to(400 + rib * 16, ridgeY)}L${to(400 + rib * 26, 640)}`;
        bright += `M${to(404 + rib * 16, ridgeY)}L${to(406 + rib * 26, 640)}`;
      }
      sketch.stroke(dark, shaded(color, mood, 0.7), 3.4, 0.45);
      sketch.stroke(bright, mood.light, 2, 0.28);
      for (const y of [ridgeY + 130, ridgeY + 280]) sketch.rect(0, y, 800, 3, mood.shade, 0, 0.25);
    }
  });
  sketch.rect(left - 10, ridgeY - 10, right - left + 20, 18, sketch.down(lit(color, mood, 0.5), shaded(color, mood, 0.15)), 8);
  const chimneyX = random.chance(0.5) ? left + 70 : right - 130;
  const brick = random.pick(['#a85a43', '#b9735a', '#8f4a3c']);
  sketch.poly(
    [
      [chimneyX, ridgeY + 66],
      [chimneyX + 62, ridgeY + 66],
      [chimneyX + 190, ridgeY + 150],
      [chimneyX + 128, ridgeY + 150],
    ],
    mood.shade,
    0.22,
  );
  sketch.rect(chimneyX, ridgeY - 70, 62, 138, sketch.across(lit(brick, mood, 0.25), shaded(brick, mood, 0.35)));
  let courses = '';
  for (let y = 0; y < 14; y++)
    courses += `M${to(chimneyX, ridgeY - 66 + y * 10)}h62M${to(chimneyX + (y % 2 ? 20 : 40), ridgeY - 66 + y * 10)}v10`;
  sketch.stroke(courses, '#f0dccb', 1.2, 0.35);
  sketch.rect(chimneyX - 8, ridgeY - 82, 78, 16, shaded(brick, mood, 0.2), 2);
  for (const potX of [10, 36]) sketch.rect(chimneyX + potX, ridgeY - 106, 17, 26, sketch.across('#d08a66', '#94523a'), 2);
  const skylightX = chimneyX < 400 ? 470 : 190;
  const fitting = random.next();
  if (fitting < 0.5) {
    sketch.poly(
      [
        [skylightX - 6, ridgeY + 84],
        [skylightX + 116, ridgeY + 84],
        [skylightX + 132, ridgeY + 206],
        [skylightX - 16, ridgeY + 206],
      ],
      '#3a464c',
    );
    sketch.poly(
      [
        [skylightX + 4, ridgeY + 92],
        [skylightX + 106, ridgeY + 92],
        [skylightX + 118, ridgeY + 196],
        [skylightX - 4, ridgeY + 196],
      ],
      sketch.diagonal(mix(mood.sky[2], '#ffffff', 0.3), mood.sky[1], mood.sky[0]),
    );
  } else if (fitting < 0.8) {
    for (const shift of [0, 112]) {
      sketch.poly(
        [
          [skylightX + shift - 40, ridgeY + 80],
          [skylightX + shift + 58, ridgeY + 80],
          [skylightX + shift + 68, ridgeY + 226],
          [skylightX + shift - 50, ridgeY + 226],
        ],
        sketch.diagonal('#3f6a9a', '#16294a', '#0f1f38'),
      );
      sketch.stroke(
        `M${to(skylightX + shift + 9, ridgeY + 80)}V${to(ridgeY + 226)}M${to(skylightX + shift - 44, ridgeY + 128)}h106M${to(skylightX + shift - 47, ridgeY + 178)}h112`,
        '#a9c0d6',
        1.6,
        0.7,
      );
    }
  }
  if (random.chance(0.6)) drawLadder(sketch, mood, random.between(300, 440), 640, 330, 0, random.pick(['#e0a030', '#cfd6d9']));
  const bx = random.between(520, 640);
  sketch.rect(bx, 486, 96, 50, sketch.down('#d8543a', '#a33a28'), 6);
  sketch.stroke(`M${to(bx + 26, 486)}q0 -22 22 -22t22 22`, '#2d3436', 6);
  sketch.rect(bx, 504, 96, 6, '#7f2a1c');
}

export function lawn(sketch: Sketch, mood: Mood, regionCode: number, focus: 'mow' | 'plants' | 'water' | 'path') {
  const { random } = sketch;
  drawBackdrop(sketch, mood, 300, regionCode);
  const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
  sketch.rect(0, 298, 800, 100, mix(ground, mood.haze, 0.25));
  for (let tree = 0; tree < 5; tree++) drawTree(sketch, mood, random.between(0, 800), random.between(366, 384), random.between(150, 260));
  if (random.chance(0.55))
    drawHouse(sketch, mood, random.pick(['villa', 'bungalow', 'brick', 'modern'] as const), random.chance(0.5) ? -60 : 480, 386, 330);
  drawFence(
    sketch,
    mood,
    392,
    random.between(60, 84),
    random.pick(['#c39a6b', '#8f6f50', '#f2efe6', '#5a666a']),
    random.pick(['paling', 'slats'] as const),
  );
  const green = random.pick(['#6fa046', '#5f9a4c', '#86ac4e', '#4f8f50']);
  drawLawn(sketch, mood, 388, green, true);
  for (let x = -10; x < 820; x += random.between(48, 84)) {
    if (random.chance(0.3)) drawFlax(sketch, mood, x, random.between(404, 420), random.between(54, 90));
    else drawShrub(sketch, mood, x, random.between(400, 420), random.between(46, 84), 0.65);
  }
  if (focus === 'path' || random.chance(0.3)) {
    const stones = random.int(5, 9);
    const bend = random.between(-150, 150);
    const turn = random.between(1.6, 3.4);
    for (let stone = 0; stone < stones; stone++) {
      const share = stone / (stones - 1);
      const y = 424 + share * share * 150;
      const w = 34 + share * 92;
      const x = 400 + Math.sin(share * turn + 0.6) * bend - share * bend * 0.5;
      sketch.ellipse(x + 3, y + 5, w * 0.55, w * 0.17, mood.shade, 0.3);
      sketch.ellipse(x, y, w * 0.55, w * 0.17, sketch.down(lit('#c9c3b6', mood, 0.3), '#9f988b'));
    }
  }
  if (focus === 'mow') {
    const x = random.between(220, 480);
    const body = random.pick(['#d8443a', '#2f8f5a', '#e08a2a', '#2f6fa8']);
    sketch.poly(
      [
        [x - 20, 560],
        [x + 150, 560],
        [x + 96, 392],
        [x + 40, 392],
      ],
      mood.light,
      0.2,
    );
    sketch.shadow(x + 70, 558, 130, 18, 0.55);
    sketch.stroke(`M${to(x + 124, 514)}L${to(x + 236, 392)}h26`, '#2d3539', 7);
    sketch.path(`M${to(x - 10, 552)}q-6 -56 34 -62h86q36 8 40 62Z`, sketch.down(lit(body, mood, 0.3), body, shaded(body, mood, 0.4)));
    sketch.rect(x + 28, 464, 74, 34, sketch.down('#4a555b', '#20282c'), 8);
    sketch.rect(x + 120, 488, 76, 60, sketch.down('#515c61', '#2b3337'), 12);
    for (const wheel of [8, 128]) {
      sketch.circle(x + wheel, 552, 22, '#1d2326');
      sketch.circle(x + wheel, 552, 10, '#c9d0d2');
    }
  } else if (focus === 'water') {
    for (const [x, y] of [
      [random.between(170, 280), 500],
      [random.between(500, 640), 468],
    ] as const) {
      sketch.shadow(x, y + 2, 24, 6, 0.4);
      sketch.rect(x - 4, y - 22, 8, 24, '#2d3539', 2);
      for (let jet = -6; jet <= 6; jet++) {
        const reach = jet * 26;
        sketch.stroke(`M${to(x, y - 22)}Q${to(x + reach * 0.5, y - 120 + Math.abs(jet) * 6, x + reach, y - 6)}`, '#eefaff', 2.6, 0.55);
      }
      sketch.glow(x, y - 50, 90, '#ffffff', 0.3);
    }
  } else if (focus === 'plants') {
    const x = random.between(430, 560);
    sketch.shadow(x + 60, 566, 130, 16, 0.5);
    sketch.stroke(`M${to(x + 110, 506)}L${to(x + 216, 470)}M${to(x + 110, 522)}L${to(x + 206, 490)}`, '#b5844f', 9);
    sketch.path(`M${to(x - 40, 474)}h176l-42 66h-92Z`, sketch.down('#4fa06a', '#2a6a48'));
    drawCrown(sketch, mood, x + 44, 462, 72, 28, '#6f9a4a', 9);
    for (let bloom = 0; bloom < 7; bloom++)
      sketch.circle(x + random.between(-10, 100), random.between(438, 466), 6, random.pick(['#f2c14e', '#e4572e', '#f7a1c4', '#ffffff']));
    sketch.circle(x - 8, 552, 24, '#22292c');
    sketch.circle(x - 8, 552, 9, '#b9c2c4');
  }
}

export function trees(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  drawBackdrop(sketch, mood, 350, regionCode);
  drawLawn(sketch, mood, 348, random.pick(['#6fa046', '#7a9c48', '#5f9350']), false);
  for (let tree = 0; tree < 6; tree++) drawTree(sketch, mood, random.between(-20, 820), random.between(380, 430), random.between(140, 230));
  if (random.chance(0.4)) drawFence(sketch, mood, 436, 54, '#b08d62', 'paling');
  const x = random.between(250, 420);
  const color = random.pick(['#4f8a4b', '#3f7a55', '#6a9a4a', '#2f6b52', '#c9822f', '#b5563a']);
  sketch.shadow(x + 40, 536, 230, 26, 0.5);
  const bark = shaded('#8a6a4f', mood, 0.2);
  sketch.path(
    `M${to(x - 34, 540)}Q${to(x - 12, 420, x - 22, 300)}L${to(x - 90, 210)}l14 -8L${to(x - 4, 276)}L${to(x + 8, 170)}h14L${to(x + 22, 280)}L${to(x + 92, 190)}l12 9L${to(x + 34, 316)}Q${to(x + 24, 430, x + 48, 540)}Z`,
    sketch.across(lit(bark, mood, 0.3), bark, shaded(bark, mood, 0.5)),
  );
  for (const [dx, dy, rx, ry] of [
    [-100, 190, 104, 76],
    [104, 184, 110, 80],
    [0, 120, 132, 92],
    [-40, 232, 84, 46],
  ] as const)
    drawCrown(sketch, mood, x + dx, dy, rx, ry, color, 13);
  sketch.stroke(`M${to(x + 60, 210)}Q${to(x + 76, 400, x + 120, 520)}`, '#e8683a', 3.4);
  drawLadder(sketch, mood, x - 66, 546, 270, 0, '#e0a030');
  for (let log = 0; log < random.int(3, 6); log++) {
    const lx = random.between(520, 700);
    const ly = 556 - (log % 3) * 24;
    sketch.shadow(lx + 30, ly + 14, 56, 8, 0.35);
    sketch.rect(lx, ly - 14, 70, 28, sketch.down(lit('#8f6f50', mood, 0.2), shaded('#7a5a3f', mood, 0.35)), 12);
    sketch.ellipse(lx + 8, ly, 10, 14, '#e0bd8a');
    sketch.ellipse(lx + 8, ly, 5, 8, '#c99a62');
  }
}

export function driveway(sketch: Sketch, mood: Mood, regionCode: number, surface: 'concrete' | 'pavers' | 'deck' | 'fence') {
  const { random } = sketch;
  if (surface === 'fence') {
    drawBackdrop(sketch, mood, 300, regionCode);
    drawLawn(sketch, mood, 298, random.pick(['#6fa046', '#7a9c48', '#5f9350']), true);
    for (let tree = 0; tree < 5; tree++) drawTree(sketch, mood, random.between(0, 800), random.between(420, 440), random.between(180, 290));
    drawHouse(sketch, mood, random.pick(['villa', 'bungalow', 'modern'] as const), random.between(150, 300), 430, 380);
    const color = random.pick(['#c39a6b', '#f4f1ea', '#8a6a4a', '#46525a', '#b5724a']);
    const kind = random.pick(['picket', 'paling', 'slats'] as const);
    const gate = random.between(280, 460);
    drawFence(sketch, mood, 520, 130, color, kind, -10, gate);
    drawFence(sketch, mood, 520, 130, color, kind, gate + 150, 820);
    sketch.within({ transform: `translate(${to(gate + 8, 0)})` }, () =>
      drawFence(sketch, mood, 522, 118, lit(color, mood, 0.25), kind === 'slats' ? 'slats' : 'paling', 0, 128),
    );
    sketch.stroke(`M${to(gate + 14, 510)}L${to(gate + 130, 416)}`, shaded(color, mood, 0.35), 8);
    for (const post of [gate - 12, gate + 144]) {
      sketch.rect(post, 370, 20, 154, sketch.across(lit(color, mood, 0.3), shaded(color, mood, 0.35)), 2);
      sketch.rect(post - 4, 362, 28, 12, shaded(color, mood, 0.1), 2);
    }
    drawPath(sketch, mood, gate + 10, 520, 128, gate - 40, 230, '#cfc8ba');
    for (let shrub = 0; shrub < 7; shrub++) {
      const at = random.between(0, 800);
      if (Math.abs(at - gate - 75) > 130) drawShrub(sketch, mood, at, random.between(530, 556), random.between(36, 64), 0.7);
    }
    return;
  }
  const horizon = 326;
  drawBackdrop(sketch, mood, horizon, regionCode);
  drawLawn(sketch, mood, horizon - 2, random.pick(['#6fa046', '#7a9c48', '#5f9350', '#86a852']), false);
  for (let tree = 0; tree < 4; tree++)
    drawTree(sketch, mood, random.chance(0.5) ? random.between(-10, 130) : random.between(670, 810), 430, random.between(190, 300));
  drawHouse(sketch, mood, random.pick(['brick', 'modern', 'bungalow', 'villa'] as const), 130, 440, 540);
  const base = {
    concrete: random.pick(['#c9c7c0', '#b5b5b0', '#a3a6a8', '#d3c8b6']),
    pavers: random.pick(['#b9886a', '#a9a29a', '#c9ab86', '#8f8a88']),
    deck: random.pick(['#b97f4e', '#a0683f', '#c9975e']),
  }[surface];
  const outline = surface === 'deck' ? 'M90 446H710L870 620H-70Z' : `M${to(330, 440)}H640L760 620H120Z`;
  sketch.path(outline, sketch.down(shaded(base, mood, 0.22), base, lit(base, mood, 0.3)));
  sketch.within({ clip: outline }, () => {
    let joints = '';
    if (surface === 'deck')
      for (let board = -22; board <= 22; board++) joints += `M${to(400 + board * 20, 440)}L${to(400 + board * 44, 620)}`;
    else if (surface === 'concrete') joints = 'M100 486H800M60 540H820M484 436L440 620';
    else {
      for (let row = 0, y = 440; y < 610; row++) {
        const size = 9 + row * 1.9;
        joints += `M0 ${to(y)}H800`;
        for (let x = (row % 2) * size; x < 800; x += size * 2.4) joints += `M${to(x, y)}v${to(size)}`;
        y += size;
      }
    }
    sketch.stroke(joints, shaded(base, mood, 0.65), surface === 'concrete' ? 4 : 2, 0.42);
    for (let fleck = 0; fleck < 60; fleck++)
      sketch.circle(
        random.between(80, 760),
        random.between(446, 598),
        random.between(0.8, 2.2),
        random.chance(0.5) ? '#ffffff' : mood.shade,
        0.28,
      );
    sketch.rect(0, 436, 800, 26, sketch.down([mood.shade, 0.4], [mood.shade, 0]));
  });
  if (surface === 'deck') {
    for (const x of [120, 640]) drawShrub(sketch, mood, x, 476, 60, 0.8);
    sketch.shadow(420, 540, 130, 16, 0.45);
    sketch.rect(330, 494, 180, 10, lit('#c99a62', mood, 0.25), 3);
    for (const leg of [346, 484]) sketch.rect(leg, 502, 9, 42, shaded('#8a5c3a', mood, 0.2));
    for (const seat of [270, 524])
      sketch.rect(seat, 516, 52, 30, sketch.down(random.pick(['#2a7f78', '#e0a030', '#c8543a', '#33507a']), '#2b3236'), 8);
  } else {
    sketch.stroke(surface === 'concrete' ? 'M330 440L120 620M640 440L760 620' : 'M330 440L120 620', lit('#e3ddd0', mood, 0.2), 9, 0.8);
    for (let shrub = 0; shrub < 8; shrub++)
      drawShrub(
        sketch,
        mood,
        shrub % 2 ? random.between(-10, 130) : random.between(712, 810),
        random.between(470, 590),
        random.between(40, 80),
        0.6,
      );
    if (random.chance(0.5)) {
      const x = random.between(350, 520);
      sketch.shadow(x + 30, 548, 70, 10, 0.4);
      sketch.path(`M${to(x, 546)}l10 -54h44l12 54Z`, '#e8683a');
      sketch.path(`M${to(x + 5, 522)}h56l-4 -14h-49Z`, '#ffffff');
    }
  }
}
