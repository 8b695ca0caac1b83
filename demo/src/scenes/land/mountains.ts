import { type Mood, lit, shaded } from '../moods.ts';
import { type Point, type Sketch, mix, sceneWidth, to } from '../sketch.ts';

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

export function hills(sketch: Sketch, mood: Mood, horizon: number, colors: readonly string[], height = 60) {
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

export function snowRange(sketch: Sketch, mood: Mood, horizon: number) {
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

export function cone(sketch: Sketch, mood: Mood, x: number, horizon: number, height: number, spread: number, snow: number) {
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

export function mesa(sketch: Sketch, mood: Mood, horizon: number) {
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
