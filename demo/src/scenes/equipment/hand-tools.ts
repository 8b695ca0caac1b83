import { type Mood, lit, shaded } from '../moods.ts';
import type { Sketch } from '../sketch.ts';

export type Tool = (sketch: Sketch, mood: Mood, color: string) => void;
// Each tool is drawn upright around (0, 0), about 150 high, and hangs or lies as its place asks.
const steel = (sketch: Sketch) => sketch.across('#eff3f4', '#b3bdc2', '#7d898f');
const timber = (sketch: Sketch, mood: Mood) => sketch.across(lit('#d3a468', mood, 0.2), '#b07f48', '#8a5f36');

export const hammer: Tool = (s, m) => {
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
export const drill: Tool = (s, m, color) => {
  s.path('M-62 -56h92q26 0 30 22t-22 22h-100Z', s.down(lit(color, m, 0.35), color, shaded(color, m, 0.3)));
  s.path('M-30 -14h40l16 78h-42Z', s.across('#3a454a', '#20282c'));
  s.rect(-24, 62, 66, 28, s.down(shaded(color, m, 0.1), shaded(color, m, 0.45)), 6);
  s.rect(-84, -46, 24, 24, '#4f5b60', 4);
  s.rect(-116, -37, 34, 6, '#b9c3c7');
  s.rect(-10, -46, 44, 12, '#2b3337', 5, 0.6);
};
export const tape: Tool = (s, m, color) => {
  s.rect(-44, -44, 88, 88, s.diagonal(lit(color, m, 0.4), color, shaded(color, m, 0.35)), 22);
  s.circle(0, 0, 27, '#2b3337');
  s.circle(0, 0, 18, lit(color, m, 0.3));
  s.rect(40, 30, 96, 12, '#f2d34f');
  s.stroke('M54 30v7M68 30v7M82 30v7M96 30v7M110 30v7', '#3a3a2a', 2);
};

export const kits: Record<string, readonly Tool[]> = {
  general: [hammer, saw, screwdriver, level, spanner, pliers, brush],
  wood: [saw, hammer, level, screwdriver, trowel],
  pipes: [wrench, spanner, pliers, wrench, hammer],
  wires: [screwdriver, pliers, level, screwdriver, spanner],
  paint: [brush, brush, trowel, screwdriver, hammer],
  earth: [trowel, hammer, level, saw, pliers],
};
export type Kit = keyof typeof kits;
export const handles = ['#d8443a', '#e0a030', '#2f8fc9', '#2fa37a', '#e8683a', '#5b4a8a', '#1f7f8a'] as const;
