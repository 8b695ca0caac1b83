import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';

export function skyline(
  sketch: Sketch,
  mood: Mood,
  horizon: number,
  options: { tall: number; dense: number; from?: number; until?: number },
) {
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

export function needleTower(sketch: Sketch, mood: Mood, x: number, horizon: number, height: number) {
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

export function archBridge(sketch: Sketch, mood: Mood, x: number, horizon: number, span: number) {
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

export function shellRoofs(sketch: Sketch, mood: Mood, x: number, base: number, size: number) {
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

export function turbines(sketch: Sketch, mood: Mood, horizon: number) {
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
