import { type Mood, lit, shaded } from '../moods.ts';
import { drawShrub, drawTree } from '../plants.ts';
import { type Sketch, mix, sceneWidth, to } from '../sketch.ts';
import { drawBackdrop, landOf } from './lands.ts';
import { sailBoats, water } from './water.ts';

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
