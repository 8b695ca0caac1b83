import type { Mood } from './moods.ts';
import { lit, shaded } from './moods.ts';
import { drawShrub, drawTree } from './plants.ts';
import { type Point, type Sketch, mix, sceneWidth, to } from './sketch.ts';

/** A ridge as a filled outline from the left to the right rim; `rough` is how far it leaves its mean height. */
function ridge(sketch: Sketch, base: number, height: number, rough: number, peaked = false): Point[] {
  const { random } = sketch;
  const waves = [1, 2.3, 4.7, 9].map((frequency) => ({ frequency, shift: random.between(0, 6.3), size: 1 / frequency }));
  const points: Point[] = [];
  const step = peaked ? 16 : 20;
  for (let x = -step; x <= sceneWidth + step; x += step) {
    const at = (x / sceneWidth) * Math.PI * 1.6;
    let y = waves.reduce((sum, wave) => sum + Math.sin(at * wave.frequency + wave.shift) * wave.size, 0);
    if (peaked) y = Math.abs(y) * 1.3 - 0.5 + random.between(-0.12, 0.12);
    points.push([x, base - height - y * rough]);
  }
  return points;
}

function fillRidge(sketch: Sketch, points: readonly Point[], base: number, fill: string) {
  sketch.poly([...points, [sceneWidth + 30, base], [-30, base]], fill);
}

function hills(sketch: Sketch, mood: Mood, horizon: number, colors: readonly string[], height = 60) {
  colors.forEach((color, layer) => {
    const far = 1 - (layer + 1) / (colors.length + 0.6);
    const tone = mix(color, mood.haze, far * 0.85);
    const size = height * (1 - (layer / colors.length) * 0.72);
    fillRidge(
      sketch,
      ridge(sketch, horizon, size * 0.5, size * 0.42),
      horizon + 30,
      sketch.down(lit(tone, mood, 0.2), mix(tone, mood.haze, 0.3)),
    );
  });
}

function snowRange(sketch: Sketch, mood: Mood, horizon: number) {
  const far = mix('#7d93ad', mood.haze, 0.45);
  fillRidge(sketch, ridge(sketch, horizon, 60, 55, true), horizon + 20, far);
  const points = ridge(sketch, horizon, 70, 75, true);
  fillRidge(sketch, points, horizon + 20, sketch.down(mix('#5f7690', mood.haze, 0.2), mix('#7d93a5', mood.haze, 0.6)));
  // Snow lies on the tops, its lower edge in tongues; the side away from the light is blue.
  const snow = mix('#ffffff', mood.light, 0.25);
  const tops = points.filter(([, y]) => y < horizon - 76);
  let run: Point[] = [];
  const flush = () => {
    if (run.length > 2) {
      const lower = run.toReversed().map(([x, y], index, all): Point => {
        const share = index / (all.length - 1);
        const room = Math.sin(share * Math.PI);
        return [x, y + room * (index % 2 ? 44 : 20) * sketch.random.between(0.7, 1.1)];
      });
      sketch.poly([...run, ...lower], sketch.down(snow, [mix('#dfe8f2', mood.haze, 0.3), 0.85]));
    }
    run = [];
  };
  for (const point of tops) {
    const last = run.at(-1);
    if (last && point[0] - last[0] > 20) flush();
    run.push(point);
  }
  flush();
}

function cone(sketch: Sketch, mood: Mood, x: number, horizon: number, height: number, spread: number, snow: number) {
  const color = mix('#5b7690', mood.haze, 0.3);
  sketch.path(
    `M${to(x - spread, horizon + 10)}Q${to(x - spread * 0.32, horizon - height * 0.34, x - 12, horizon - height)}Q${to(x, horizon - height - 4, x + 12, horizon - height + 2)}Q${to(x + spread * 0.32, horizon - height * 0.34, x + spread, horizon + 10)}Z`,
    sketch.across(lit(color, mood, 0.35), color, shaded(color, mood, 0.35)),
  );
  if (snow <= 0) return;
  const low = horizon - height * (1 - snow);
  sketch.path(
    `M${to(x - 12, horizon - height)}Q${to(x, horizon - height - 4, x + 12, horizon - height + 2)}Q${to(x + 26, low - 34, x + 52, low)}l-12 -8l-9 14l-12 -20l-10 24l-11 -22l-12 16l-9 -14l-16 12Q${to(x - 28, low - 34, x - 12, horizon - height)}Z`,
    sketch.across('#ffffff', mix('#dfe9f2', mood.sky[1], 0.2)),
    0.95,
  );
}

function water(sketch: Sketch, mood: Mood, from: number, until: number) {
  sketch.rect(0, from, sceneWidth, until - from, sketch.down(mix(mood.sky[1], mood.haze, 0.4), mix(mood.sky[0], '#1f6f7f', 0.4)));
  for (let glint = 0; glint < 26; glint++) {
    const y = from + 3 + (until - from) * Math.pow(sketch.random.next(), 1.6);
    const half = (y - from) * 0.25 + sketch.random.between(6, 26);
    const x = sketch.random.between(0, sceneWidth);
    sketch.rect(x - half, y, half * 2, 1.6, mix(mood.light, '#ffffff', 0.4), 1, 0.35);
  }
}

function sailBoats(sketch: Sketch, mood: Mood, from: number, until: number, count: number) {
  for (let boat = 0; boat < count; boat++) {
    const y = sketch.random.between(from + 12, until - 8);
    const size = 8 + (y - from) * 0.28;
    const x = sketch.random.between(60, 740);
    sketch.path(
      `M${to(x, y)}L${to(x, y - size * 2.2)}Q${to(x + size, y - size * 0.9, x + size * 0.95, y - size * 0.1)}Z`,
      mix('#ffffff', mood.light, 0.3),
    );
    sketch.path(
      `M${to(x - 2, y - size * 0.1)}L${to(x - 2, y - size * 1.8)}L${to(x - size * 0.7, y - size * 0.1)}Z`,
      mix('#e8edf2', mood.haze, 0.3),
    );
    sketch.path(
      `M${to(x - size * 0.8, y)}H${to(x + size)}L${to(x + size * 0.6, y + size * 0.3)}H${to(x - size * 0.5)}Z`,
      shaded('#8a4b38', mood, 0.2),
    );
  }
}

function skyline(sketch: Sketch, mood: Mood, horizon: number, options: { tall: number; dense: number; from?: number; until?: number }) {
  const { random } = sketch;
  const { from = 60, until = 740 } = options;
  for (const layer of [0, 1]) {
    const tone = mix(['#6f8296', '#4f6478'][layer] as string, mood.haze, layer ? 0.3 : 0.6);
    for (let x = from; x < until;) {
      const center = 1 - Math.abs((x - (from + until) / 2) / ((until - from) / 2));
      const w = random.between(18, 44);
      const h = options.tall * (0.25 + 0.75 * center * random.between(0.35, 1)) * (layer ? 0.78 : 1);
      if (random.chance(options.dense)) {
        const body = mix(tone, random.pick(['#9fb3c4', '#c2a98f', '#53718c', '#8da6a0']), 0.35);
        sketch.rect(x, horizon - h, w, h + 4, sketch.across(lit(body, mood, 0.35), shaded(body, mood, 0.25)));
        if (random.chance(0.3)) sketch.rect(x + w * 0.3, horizon - h - 8, w * 0.4, 8, shaded(body, mood, 0.2));
        let panes = '';
        for (let y = horizon - h + 7; y < horizon - 6; y += 9)
          for (let column = x + 4; column < x + w - 5; column += 7) if (random.chance(0.6)) panes += `M${to(column, y)}h3.4v4h-3.4Z`;
        if (panes) sketch.path(panes, mood.evening ? '#ffe2a0' : mix(mood.sky[1], '#ffffff', 0.4), mood.evening ? 0.85 : 0.4);
      }
      x += w * random.between(0.7, 1.15);
    }
  }
}

function needleTower(sketch: Sketch, mood: Mood, x: number, horizon: number, height: number) {
  const body = mix('#aebac2', mood.haze, 0.25);
  sketch.poly(
    [
      [x - 7, horizon],
      [x - 3.4, horizon - height * 0.66],
      [x + 3.4, horizon - height * 0.66],
      [x + 7, horizon],
    ],
    sketch.across(lit(body, mood, 0.4), shaded(body, mood, 0.4)),
  );
  sketch.poly(
    [
      [x - 6, horizon - height * 0.64],
      [x - 17, horizon - height * 0.7],
      [x - 17, horizon - height * 0.73],
      [x - 11, horizon - height * 0.77],
      [x + 11, horizon - height * 0.77],
      [x + 17, horizon - height * 0.73],
      [x + 17, horizon - height * 0.7],
      [x + 6, horizon - height * 0.64],
    ],
    sketch.across(lit(body, mood, 0.3), shaded(body, mood, 0.45)),
  );
  sketch.rect(x - 4, horizon - height * 0.83, 8, height * 0.07, body);
  sketch.poly(
    [
      [x - 2, horizon - height * 0.82],
      [x, horizon - height],
      [x + 2, horizon - height * 0.82],
    ],
    shaded(body, mood, 0.15),
  );
}

function archBridge(sketch: Sketch, mood: Mood, x: number, horizon: number, span: number) {
  const steel = mix('#55636f', mood.haze, 0.18);
  const deck = horizon - 26;
  let hangers = '';
  for (let step = 0; step <= 18; step++) {
    const share = step / 18;
    hangers += `M${to(x + span * share, deck)}L${to(x + span * share, horizon - 8 - Math.sin(share * Math.PI) * span * 0.3)}`;
  }
  sketch.stroke(hangers, steel, 1.6, 0.85);
  for (const lift of [0, 12])
    sketch.stroke(`M${to(x, horizon - lift)}Q${to(x + span / 2, horizon - span * 0.62 - lift, x + span, horizon - lift)}`, steel, 4);
  sketch.rect(x - 90, deck, span + 180, 6, steel);
  for (const pylon of [x - 16, x + span - 2])
    sketch.rect(pylon, horizon - 66, 18, 70, sketch.across(lit('#c9b79d', mood, 0.3), shaded('#b5a58e', mood, 0.3)));
}

function shellRoofs(sketch: Sketch, mood: Mood, x: number, base: number, size: number) {
  const shell = mix('#ffffff', mood.light, 0.3);
  sketch.rect(x - size * 0.3, base - size * 0.14, size * 2.5, size * 0.2, mix('#b49a83', mood.haze, 0.2));
  [
    [0, 0.75],
    [0.42, 1],
    [0.92, 0.86],
    [1.4, 0.62],
  ].forEach(([shift, tall]) => {
    const left = x + (shift as number) * size;
    const h = (tall as number) * size;
    sketch.path(
      `M${to(left, base - size * 0.12)}Q${to(left + h * 0.12, base - h * 0.8, left + h * 0.78, base - h)}Q${to(left + h * 0.62, base - h * 0.45, left + h * 0.66, base - size * 0.12)}Z`,
      sketch.across(shell, mix(shell, mood.shade, 0.28)),
    );
  });
}

function mesa(sketch: Sketch, mood: Mood, horizon: number) {
  const red = '#b4532f';
  sketch.path(
    `M${to(120, horizon + 4)}Q${to(150, horizon - 86, 236, horizon - 104)}Q${to(330, horizon - 126, 430, horizon - 116)}Q${to(560, horizon - 112, 612, horizon - 84)}Q${to(660, horizon - 52, 690, horizon + 4)}Z`,
    sketch.down(lit(red, mood, 0.35), red, shaded(red, mood, 0.3)),
  );
  let grooves = '';
  for (let groove = 0; groove < 16; groove++) {
    const x = 190 + groove * 29 + sketch.random.between(-6, 6);
    grooves += `M${to(x, horizon - 84 - sketch.random.between(0, 18))}q${to(sketch.random.between(-5, 8), 40, sketch.random.between(-4, 4), 74)}`;
  }
  sketch.stroke(grooves, shaded(red, mood, 0.55), 3, 0.35);
}

function turbines(sketch: Sketch, mood: Mood, horizon: number) {
  for (let turbine = 0; turbine < 6; turbine++) {
    const x = 70 + turbine * 128 + sketch.random.between(-30, 30);
    const h = sketch.random.between(60, 110);
    const y = horizon - 30;
    const white = mix('#ffffff', mood.haze, 0.2);
    sketch.stroke(`M${to(x, y)}V${to(y - h)}`, white, 2.4);
    const turn = sketch.random.between(0, 2);
    for (const blade of [0, 2.094, 4.188])
      sketch.stroke(`M${to(x, y - h)}l${to(Math.cos(turn + blade) * h * 0.42, Math.sin(turn + blade) * h * 0.42)}`, white, 2.2);
  }
}

export type Land = {
  far: (sketch: Sketch, mood: Mood, horizon: number) => void;
  ground: readonly string[];
  near: 'sea' | 'vines' | 'fields' | 'lake' | 'bush' | 'outback';
};

const bush = ['#5f8a78', '#4b7a5c', '#3f6b4a'];
const pasture = ['#7f9f74', '#8aa860', '#6f9a52'];
const tussock = ['#a89a6c', '#b89d5e', '#8f8a4f'];
const dry = ['#b58a5a', '#b9793f', '#a8643a'];

// By the region's code in contract/src/places.ts.
const lands: Record<number, Land> = {
  1: { far: (s, m, h) => hills(s, m, h, bush, 70), ground: bush, near: 'sea' },
  2: {
    far: (s, m, h) => {
      cone(s, m, 640, h, 64, 190, 0);
      skyline(s, m, h, { tall: 120, dense: 0.85, from: 120, until: 560 });
      needleTower(s, m, 330, h, 235);
    },
    ground: bush,
    near: 'sea',
  },
  3: { far: (s, m, h) => hills(s, m, h, pasture, 90), ground: pasture, near: 'fields' },
  4: {
    far: (s, m, h) => {
      hills(s, m, h, ['#7f9f8a'], 46);
      cone(s, m, 470, h, 116, 150, 0);
    },
    ground: pasture,
    near: 'sea',
  },
  5: { far: (s, m, h) => hills(s, m, h, ['#c9bd9a', '#9aa873', '#7fa05a'], 110), ground: pasture, near: 'sea' },
  6: { far: (s, m, h) => hills(s, m, h, tussock, 130), ground: tussock, near: 'vines' },
  7: {
    far: (s, m, h) => {
      cone(s, m, 430, h, 215, 360, 0.36);
      hills(s, m, h, ['#6f9a6a'], 34);
    },
    ground: pasture,
    near: 'fields',
  },
  8: {
    far: (s, m, h) => {
      hills(s, m, h, pasture, 80);
      turbines(s, m, h);
    },
    ground: pasture,
    near: 'fields',
  },
  9: {
    far: (s, m, h) => {
      hills(s, m, h, bush, 130);
      skyline(s, m, h, { tall: 84, dense: 0.8, from: 180, until: 560 });
    },
    ground: bush,
    near: 'sea',
  },
  10: { far: (s, m, h) => hills(s, m, h, ['#7797a0', ...bush], 150), ground: bush, near: 'sea' },
  11: { far: (s, m, h) => hills(s, m, h, ['#8aa3ac', '#6a9078', '#5b8a5c'], 120), ground: bush, near: 'sea' },
  12: { far: (s, m, h) => hills(s, m, h, tussock, 150), ground: tussock, near: 'vines' },
  13: {
    far: (s, m, h) => {
      snowRange(s, m, h);
      hills(s, m, h, bush, 70);
    },
    ground: bush,
    near: 'bush',
  },
  14: {
    far: (s, m, h) => {
      snowRange(s, m, h);
      hills(s, m, h, ['#a5a878'], 30);
    },
    ground: pasture,
    near: 'fields',
  },
  15: {
    far: (s, m, h) => {
      snowRange(s, m, h);
      hills(s, m, h, tussock, 80);
    },
    ground: tussock,
    near: 'lake',
  },
  16: {
    far: (s, m, h) => {
      hills(s, m, h, ['#7f96a8', '#7f9f74', '#8fae62'], 70);
    },
    ground: pasture,
    near: 'fields',
  },
  17: {
    far: (s, m, h) => {
      skyline(s, m, h, { tall: 130, dense: 0.9, from: 330, until: 760 });
      archBridge(s, m, 96, h, 290);
      shellRoofs(s, m, 500, h + 4, 66);
    },
    ground: bush,
    near: 'sea',
  },
  18: {
    far: (s, m, h) => {
      hills(s, m, h, ['#8aa3b5'], 40);
      skyline(s, m, h, { tall: 190, dense: 0.95, from: 120, until: 680 });
    },
    ground: pasture,
    near: 'lake',
  },
  19: {
    far: (s, m, h) => {
      hills(s, m, h, ['#7c9cae'], 70);
      skyline(s, m, h, { tall: 200, dense: 0.6, from: 60, until: 520 });
    },
    ground: bush,
    near: 'sea',
  },
  20: { far: (s, m, h) => hills(s, m, h, ['#9aa29a', '#a8a36a', '#b3a05a'], 90), ground: tussock, near: 'vines' },
  21: {
    far: (s, m, h) => {
      hills(s, m, h, ['#b5a58a'], 26);
      skyline(s, m, h, { tall: 150, dense: 0.8, from: 260, until: 620 });
    },
    ground: dry,
    near: 'lake',
  },
  22: {
    far: (s, m, h) => {
      hills(s, m, h, ['#7d93a8'], 190);
      hills(s, m, h, bush, 70);
    },
    ground: bush,
    near: 'sea',
  },
  23: {
    far: (s, m, h) => {
      hills(s, m, h, ['#b08a78'], 26);
      mesa(s, m, h);
    },
    ground: dry,
    near: 'outback',
  },
  24: {
    far: (s, m, h) => {
      hills(s, m, h, ['#8aa0ae', '#8f9f78'], 110);
      needleTower(s, m, 260, h - 46, 130);
    },
    ground: tussock,
    near: 'lake',
  },
};

export const landOf = (regionCode: number): Land => lands[regionCode] ?? (lands[3] as Land);

/** What lies behind a scene in this region, down to the horizon. */
export const drawBackdrop = (sketch: Sketch, mood: Mood, horizon: number, regionCode: number) =>
  landOf(regionCode).far(sketch, mood, horizon);

/** The region itself, from a lookout. */
export function drawView(sketch: Sketch, mood: Mood, regionCode: number, horizon = 330) {
  const { random } = sketch;
  const land = landOf(regionCode);
  drawBackdrop(sketch, mood, horizon, regionCode);
  const [back = '#7f9f74', middle = back, front = middle] = land.ground;
  if (land.near === 'sea' || land.near === 'lake') {
    water(sketch, mood, horizon - 2, 600);
    if (land.near === 'sea') sailBoats(sketch, mood, horizon + 16, 440, random.int(2, 4));
    const shore = mix('#e6d3a8', mood.light, 0.3);
    sketch.path(
      `M${to(-10, 470)}Q${to(240, random.between(420, 470), 420, 520)}T${to(810, random.between(500, 540))}V610H-10Z`,
      sketch.down(shore, shaded(shore, mood, 0.15)),
    );
    sketch.path(
      `M${to(-10, 520)}Q${to(250, 470, 480, 556)}T${to(810, 560)}V610H-10Z`,
      sketch.down(lit(front, mood, 0.2), shaded(front, mood, 0.4)),
    );
  } else if (land.near === 'outback') {
    sketch.rect(0, horizon, sceneWidth, 280, sketch.down(mix(back, mood.haze, 0.4), middle, shaded(front, mood, 0.25)));
    for (let tuft = 0; tuft < 46; tuft++) {
      const depth = Math.pow(random.next(), 0.7);
      drawShrub(sketch, mood, random.between(0, 800), horizon + 8 + depth * 250, 6 + depth * 30, 0);
    }
  } else {
    sketch.rect(0, horizon - 1, sceneWidth, 280, sketch.down(mix(back, mood.haze, 0.45), middle, shaded(front, mood, 0.2)));
    if (land.near === 'vines') {
      for (let row = -14; row <= 14; row++) {
        const end = 400 + row * 120;
        sketch.stroke(`M${to(400 + row * 9, horizon + 6)}L${to(end, 610)}`, shaded('#5f8240', mood, 0.35), 11);
        sketch.stroke(`M${to(400 + row * 9 - 0.6, horizon + 5)}L${to(end - 8, 604)}`, lit('#86a850', mood, 0.25), 6);
      }
    } else {
      for (let field = 0; field < 7; field++) {
        const y = horizon + 10 + field * field * 5.4;
        sketch.path(
          `M${to(-10, y + random.between(-4, 10))}Q${to(400, y + random.between(-16, 20), 810, y + random.between(-6, 16))}V610H-10Z`,
          mix(random.pick(land.ground), mood.haze, 0.35 - field * 0.05),
        );
      }
    }
  }
  for (let tree = 0; tree < random.int(3, 6); tree++) {
    const depth = random.next();
    const near = land.near === 'sea' || land.near === 'lake' ? 562 : 520;
    drawTree(
      sketch,
      mood,
      random.chance(0.5) ? random.between(0, 230) : random.between(570, 800),
      near + depth * (590 - near),
      90 + depth * 120,
    );
  }
}
