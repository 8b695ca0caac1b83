import type { Mood } from '../moods.ts';
import type { Sketch } from '../sketch.ts';
import { archBridge, needleTower, shellRoofs, skyline, turbines } from './landmarks.ts';
import { cone, hills, mesa, snowRange } from './mountains.ts';

type Land = {
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
