import { drawHomeScene } from './houses.ts';
import { type Mood, lit, shaded } from './moods.ts';
import { drawShrub } from './plants.ts';
import { drawBucket, drawRoom, pickDecor } from './rooms.ts';
import { type Sketch, mix, to } from './sketch.ts';

// What one sees of the work below: behind the doors of a sink, in a trench, along a skirting.

const copper = ['#e3a06f', '#b5693d', '#7f4224'] as const;
const white = ['#fbfbf8', '#dfe3e2', '#aeb9bb'] as const;

/** A round pipe along a line: its light side, itself, and its shadow. */
function pipe(sketch: Sketch, d: string, size: number, [light, color, dark]: readonly [string, string, string]) {
  sketch.stroke(d, dark, size);
  sketch.stroke(d, color, size * 0.74);
  sketch.within({ transform: `translate(${to(-size * 0.14, -size * 0.14)})` }, () => sketch.stroke(d, light, size * 0.24, 0.8));
}

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

/** A trench in the lawn in front of a house, with the pipe that it was dug for. */
export function trench(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  drawHomeScene(sketch, mood, regionCode);
  const left = random.between(120, 200);
  const right = random.between(610, 690);
  const earth = random.pick(['#8a6244', '#7a5a40', '#97704e', '#a5573b']);
  // The heap behind it, then the cut, its far wall, and the pipe on its bed.
  sketch.shadow(right - 60, 470, 150, 16, 0.4);
  sketch.path(
    `M${to(right - 210, 470)}q${to(60, -20, 90, -62)}q${to(40, -34, 84, 4)}q${to(40, 20, 60, 58)}Z`,
    sketch.diagonal(lit(earth, mood, 0.3), earth, shaded(earth, mood, 0.4)),
  );
  for (let clod = 0; clod < 16; clod++)
    sketch.circle(
      right - 190 + random.between(0, 200),
      466 - random.between(0, 26),
      random.between(4, 10),
      shaded(earth, mood, random.between(0, 0.3)),
    );
  sketch.path(
    `M${to(left, 482)}L${to(right, 474)}L${to(right + 66, 586)}L${to(left - 60, 596)}Z`,
    sketch.down(shaded(earth, mood, 0.35), shaded(earth, mood, 0.62)),
  );
  sketch.path(
    `M${to(left, 482)}L${to(right, 474)}L${to(right + 14, 506)}L${to(left - 12, 514)}Z`,
    sketch.down(lit(earth, mood, 0.12), shaded(earth, mood, 0.3)),
  );
  const line = `M${to(left - 30, 560)}C${to(left + 120, 544, right - 120, 556, right + 44, 538)}`;
  sketch.within({ transform: 'translate(4 16)' }, () => sketch.stroke(line, mood.shade, 34, 0.35));
  pipe(sketch, line, 36, random.pick([['#f0a06a', '#d4703a', '#8f4420'], white, ['#8f9ba1', '#5f6b72', '#39444a']] as const));
  const joint = random.between(0.35, 0.6);
  const at = left + (right - left) * joint;
  sketch.rect(at, 526, 46, 48, sketch.down('#f7c196', '#b85a2a', '#6f3418'), 8);
  sketch.stroke(`M${to(left - 62, 597)}L${to(left, 481)}L${to(right, 473)}L${to(right + 68, 587)}`, '#5f8f4a', 9);
  // A spade, stuck where the digging stopped.
  const spade = random.between(left + 30, left + 90);
  sketch.stroke(`M${to(spade, 470)}L${to(spade - 16, 330)}`, shaded('#b98a5a', mood, 0.1), 11);
  sketch.rect(spade - 38, 322, 44, 11, shaded('#3a444a', mood, 0.1), 5);
  sketch.path(`M${to(spade - 20, 452)}h44l-6 46q-16 14 -32 0Z`, sketch.across('#c3cdd0', '#77848a'));
  for (const x of [40, 742]) drawShrub(sketch, mood, x, 470, random.between(30, 44));
}

/** A skirting with a bait station and the trail that leads there. */
export function skirting(sketch: Sketch, mood: Mood) {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor, 400);
  const board = lit('#f6f2ea', mood, 0.1);
  sketch.rect(0, 318, 800, 86, sketch.down(board, shaded('#e4ddcf', mood, 0.12)));
  sketch.rect(0, 330, 800, 4, mood.shade, 0, 0.18);
  sketch.rect(0, 402, 800, 22, sketch.down([mood.shade, 0.4], [mood.shade, 0]));
  const hole = random.between(90, 190);
  sketch.path(`M${to(hole, 404)}v-30q0 -30 30 -30t30 30v30Z`, '#20262a');
  sketch.path(`M${to(hole + 6, 404)}v-28q0 -24 24 -24`, '#3a444a', 0.8);
  const box = random.between(440, 520);
  sketch.shadow(box + 90, 506, 130, 18, 0.5);
  const color = random.pick(['#2b3236', '#33443c', '#3a4750']);
  sketch.path(`M${to(box, 500)}v-64q0 -12 14 -14h152q14 2 14 14v64Z`, sketch.down(lit(color, mood, 0.3), shaded(color, mood, 0.3)));
  sketch.path(`M${to(box + 4, 436)}l16 -22h140l16 22Z`, lit(color, mood, 0.35));
  sketch.path(`M${to(box + 18, 500)}v-26q0 -16 18 -16t18 16v26Z`, '#0f1518');
  sketch.rect(box + 78, 450, 82, 32, '#e9b949', 4);
  sketch.path(`M${to(box + 119, 455)}l12 22h-24Z`, '#2b3236');
  let trail = '';
  for (let ant = 0; ant < 26; ant++) {
    const share = ant / 25;
    const x = hole + 34 + (box - hole) * share;
    const y = 412 + Math.sin(share * 5) * 26 + share * 84;
    sketch.ellipse(x, y, 5.5, 3.4, '#20262a');
    sketch.circle(x + 7, y - 1, 2.6, '#20262a');
    trail += `M${to(x - 3, y - 6)}l${to(6, 12)}M${to(x + 2, y - 6)}l${to(-5, 12)}`;
  }
  sketch.stroke(trail, '#20262a', 1.2, 0.8);
  sketch.within({ transform: `translate(${to(random.between(620, 690), 556)}) rotate(-18)` }, () => {
    sketch.shadow(20, 18, 110, 14, 0.4);
    sketch.rect(-80, -26, 150, 40, sketch.down('#e8c24a', '#a87f1e'), 10);
    sketch.rect(62, -34, 34, 56, sketch.down('#f3f1ea', '#b9bcb8'), 10);
    sketch.poly(
      [
        [96, -20],
        [250, -90],
        [250, 60],
        [96, 12],
      ],
      '#fff3c4',
      0.16,
    );
  });
}
