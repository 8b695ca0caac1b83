import type { Random } from '../random.ts';
import { type Sketch, mix, sceneHeight, sceneWidth } from './sketch.ts';

/** The weather and hour of a scene: every colour in it is pulled a little towards these, so that it holds together. */
export type Mood = {
  sky: readonly [string, string, string];
  light: string;
  shade: string;
  haze: string;
  /** How much of the light's colour lies on everything. */
  warmth: number;
  /** Lamps are on. */
  evening: boolean;
  clouds: 'none' | 'few' | 'many';
};

const moods: readonly Mood[] = [
  {
    sky: ['#4a95d6', '#97c9ee', '#e6f3f8'],
    light: '#fff3d2',
    shade: '#17324d',
    haze: '#cfe4ef',
    warmth: 0.08,
    evening: false,
    clouds: 'few',
  },
  {
    sky: ['#2f83c9', '#79bde8', '#d6eef2'],
    light: '#fff8e0',
    shade: '#12344f',
    haze: '#c3e0ec',
    warmth: 0.06,
    evening: false,
    clouds: 'few',
  },
  {
    sky: ['#7fb2d6', '#cbe0e6', '#fbead0'],
    light: '#ffe7b8',
    shade: '#274058',
    haze: '#e4e2d6',
    warmth: 0.12,
    evening: false,
    clouds: 'few',
  },
  {
    sky: ['#6d98c0', '#efcba0', '#fde7bd'],
    light: '#ffcf87',
    shade: '#3a3350',
    haze: '#f0d9b8',
    warmth: 0.2,
    evening: false,
    clouds: 'few',
  },
  {
    sky: ['#8ea6d4', '#e4c0d0', '#fde6d8'],
    light: '#ffd9c2',
    shade: '#3b3a5e',
    haze: '#e9d3d8',
    warmth: 0.15,
    evening: false,
    clouds: 'many',
  },
  {
    sky: ['#86a3ba', '#bcd0db', '#eaf1f0'],
    light: '#eef2ee',
    shade: '#2b3f4c',
    haze: '#d3dcde',
    warmth: 0.06,
    evening: false,
    clouds: 'many',
  },
  {
    sky: ['#5aa6c9', '#a9d8dd', '#f2f3dc'],
    light: '#fdf3c9',
    shade: '#184148',
    haze: '#d2e6df',
    warmth: 0.1,
    evening: false,
    clouds: 'none',
  },
  {
    sky: ['#2d3c69', '#86699b', '#f5ab86'],
    light: '#ffb784',
    shade: '#1b1f42',
    haze: '#c48f97',
    warmth: 0.2,
    evening: true,
    clouds: 'few',
  },
  {
    sky: ['#1d4860', '#5d9a9f', '#f6d9a6'],
    light: '#ffd596',
    shade: '#0f2a3c',
    haze: '#a9bdb0',
    warmth: 0.16,
    evening: true,
    clouds: 'few',
  },
];

export const pickMood = (random: Random): Mood => random.weighted(moods, (mood) => (mood.evening ? 0.5 : mood.clouds === 'many' ? 0.7 : 1));

export const lit = (color: string, mood: Mood, share = 0.3) => mix(color, mood.light, share);
export const shaded = (color: string, mood: Mood, share = 0.35) => mix(color, mood.shade, share);

export function drawSky(sketch: Sketch, mood: Mood, horizon: number) {
  const { random } = sketch;
  sketch.rect(0, 0, sceneWidth, horizon + 40, sketch.down(...mood.sky));
  const sunX = random.between(90, 710);
  sketch.glow(sunX, horizon * random.between(0.3, 0.75), random.between(150, 215), mood.light, 0.8);
  if (mood.evening || mood.warmth > 0.1) sketch.circle(sunX, horizon * 0.72, random.between(18, 30), mix(mood.light, '#ffffff', 0.6), 0.85);
  const clouds = { none: 0, few: random.int(2, 4), many: random.int(5, 8) }[mood.clouds];
  for (let cloud = 0; cloud < clouds; cloud++)
    drawCloud(sketch, mood, random.between(0, sceneWidth), random.between(30, horizon * 0.62), random.between(0.6, 1.5));
}

function drawCloud(sketch: Sketch, mood: Mood, x: number, y: number, size: number) {
  const { random } = sketch;
  const top = mix(mood.light, '#ffffff', 0.65);
  const fill = sketch.down([top, 0.92], [mix(mood.haze, mood.sky[1], 0.3), 0.35]);
  const puffs = random.int(4, 6);
  let d = '';
  for (let puff = 0; puff < puffs; puff++) {
    const share = puff / (puffs - 1);
    const radius = (18 + 26 * Math.sin(Math.PI * (0.15 + share * 0.7)) + random.between(-4, 6)) * size;
    const cx = x + (share - 0.5) * 150 * size;
    const cy = y - radius * 0.45;
    d += `M${Math.round(cx - radius)} ${Math.round(cy)}a${Math.round(radius)} ${Math.round(radius * 0.8)} 0 1 1 ${Math.round(radius * 2)} 0a${Math.round(radius)} ${Math.round(radius * 0.62)} 0 1 1 ${Math.round(-radius * 2)} 0Z`;
  }
  sketch.path(d, fill, 0.8);
}

/** The last layer: light from one side, a little darkness at the rim. */
export function drawLight(sketch: Sketch, mood: Mood) {
  sketch.rect(0, 0, sceneWidth, sceneHeight, mood.light, 0, mood.warmth * 0.55);
  const fromLeft = sketch.random.chance(0.5);
  const near: [string, number] = [mood.light, 0.22];
  const far: [string, number] = [mood.shade, 0.12];
  sketch.rect(
    0,
    0,
    sceneWidth,
    sceneHeight,
    fromLeft ? sketch.across(near, [mood.light, 0], far) : sketch.across(far, [mood.light, 0], near),
  );
  // Bands instead of one radial gradient over everything, which alone would take a third of the drawing time.
  sketch.rect(0, 470, sceneWidth, 130, sketch.down([mood.shade, 0], [mood.shade, 0.16]));
  sketch.rect(0, 0, sceneWidth, 90, sketch.down([mood.shade, 0.08], [mood.shade, 0]));
}
