import { drawBucket } from '../equipment/cleaning.ts';
import { copper, pipe, white } from '../equipment/pipes.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, mix, to } from '../sketch.ts';
import { drawRoom, pickDecor } from './room.ts';

function wrench(sketch: Sketch, x: number, y: number, angle: number, size: number) {
  sketch.within({ transform: `translate(${to(x, y)}) rotate(${angle}) scale(${size})` }, () => {
    sketch.rect(-10, 0, 20, 130, sketch.across('#b9c4c8', '#6f7b82'), 9);
    sketch.path('M-26 -4q-10 -34 14 -46l4 26h16l4 -26q24 12 14 46q-26 22 -52 0Z', sketch.across('#c9d3d6', '#7d898f'));
    sketch.rect(-7, 74, 14, 50, '#c8443a', 6);
  });
}

/** The open cupboard below a sink: trap, taps, and the bucket that was there in time. */
export function underSink(sketch: Sketch, mood: Mood, _regionCode: number, leak: boolean) {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor, 500);
  const cabinet = random.pick([decor.accent, decor.second, '#eef0ec', decor.wood, '#7f9a86', '#54707a']);
  sketch.rect(0, 96, 800, 30, sketch.down(lit('#e9e4da', mood, 0.2), shaded('#cfc8ba', mood, 0.2)), 3);
  sketch.rect(20, 126, 760, 20, sketch.down([mood.shade, 0.4], [mood.shade, 0]));
  sketch.rect(40, 126, 720, 374, shaded(cabinet, mood, 0.2), 4);
  // The inside, darker with its depth.
  sketch.rect(200, 140, 400, 348, sketch.down(shaded('#8d7a66', mood, 0.35), shaded('#6f5f50', mood, 0.45)));
  sketch.rect(200, 440, 400, 48, sketch.down(shaded('#a08c76', mood, 0.2), shaded('#8a7762', mood, 0.2)));
  for (const [x, lean] of [
    [52, 1],
    [610, -1],
  ] as const) {
    sketch.rect(x, 140, 138, 348, sketch.across(lit(cabinet, mood, 0.24), shaded(cabinet, mood, 0.08)), 4);
    sketch.rect(x + 18, 160, 102, 308, shaded(cabinet, mood, 0.14), 3, 0.5);
    sketch.rect(lean > 0 ? x + 122 : x + 8, 290, 8, 40, '#d9b25a', 4);
  }
  sketch.path(`M270 140h260q0 74 -60 80h-140q-60 -6 -60 -80Z`, sketch.down('#f7f8f6', mix('#c9d1d3', mood.shade, 0.2)));
  const trap = random.pick([white, white, copper]);
  pipe(sketch, 'M400 218V330q0 50 46 50t46 -50v-8q0 -26 30 -26h78', 34, trap);
  for (const [x, y] of [
    [400, 246],
    [400, 322],
    [492, 322],
  ] as const)
    sketch.rect(x - 25, y - 12, 50, 24, sketch.across(trap[0], trap[1], trap[2]), 5);
  for (const x of [300, 344]) {
    pipe(sketch, `M${x} 148V${x === 300 ? 400 : 372}H200`, 13, copper);
    sketch.rect(x - 14, 286, 28, 16, sketch.across('#e3e8ea', '#8f9ba1'), 4);
    sketch.rect(x - 26, 290, 52, 8, x === 300 ? '#c8443a' : '#2f8fc9', 4);
  }
  if (leak) {
    const drop = (x: number, y: number, size: number) =>
      sketch.path(
        `M${to(x, y - size * 1.6)}q${to(size * 1.2, size * 1.5, 0, size * 2.4)}q${to(-size * 1.2, -size * 0.9, 0, -size * 2.4)}Z`,
        '#7cc4e8',
        0.9,
      );
    for (const [x, y, size] of [
      [446, 402, 7],
      [438, 424, 5],
      [452, 438, 6],
    ] as const)
      drop(x + random.between(-3, 3), y, size);
  }
  if (!leak) sketch.shadow(440, 566, 96, 14, 0.45);
  drawBucket(sketch, mood, 440, leak ? 486 : 568, leak ? 62 : 82, random.pick(['#2f8fc9', '#e0a030', '#c8543a', '#2fa37a']));
  wrench(sketch, random.between(180, 280), 584, -72, 0.95);
}
