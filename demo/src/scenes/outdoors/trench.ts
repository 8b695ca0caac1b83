import { pipe, white } from '../equipment/pipes.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawShrub } from '../plants.ts';
import { type Sketch, to } from '../sketch.ts';
import { drawHomeScene } from './home.ts';

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
