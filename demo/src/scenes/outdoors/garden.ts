import { drawHouse } from '../houses/house.ts';
import { drawBackdrop, landOf } from '../land/lands.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawCrown, drawFlax, drawShrub, drawTree } from '../plants.ts';
import { type Sketch, mix, to } from '../sketch.ts';
import { drawFence } from './fence.ts';
import { drawLawn } from './ground.ts';

export function garden(sketch: Sketch, mood: Mood, regionCode: number, focus: 'mow' | 'plants' | 'water' | 'path') {
  const { random } = sketch;
  drawBackdrop(sketch, mood, 300, regionCode);
  const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
  sketch.rect(0, 298, 800, 100, mix(ground, mood.haze, 0.25));
  for (let tree = 0; tree < 5; tree++) drawTree(sketch, mood, random.between(0, 800), random.between(366, 384), random.between(150, 260));
  if (random.chance(0.55))
    drawHouse(sketch, mood, random.pick(['villa', 'bungalow', 'brick', 'modern'] as const), random.chance(0.5) ? -60 : 480, 386, 330);
  drawFence(
    sketch,
    mood,
    392,
    random.between(60, 84),
    random.pick(['#c39a6b', '#8f6f50', '#f2efe6', '#5a666a']),
    random.pick(['paling', 'slats'] as const),
  );
  const green = random.pick(['#6fa046', '#5f9a4c', '#86ac4e', '#4f8f50']);
  drawLawn(sketch, mood, 388, green, true);
  for (let x = -10; x < 820; x += random.between(48, 84)) {
    if (random.chance(0.3)) drawFlax(sketch, mood, x, random.between(404, 420), random.between(54, 90));
    else drawShrub(sketch, mood, x, random.between(400, 420), random.between(46, 84), 0.65);
  }
  if (focus === 'path' || random.chance(0.3)) {
    const stones = random.int(5, 9);
    const bend = random.between(-150, 150);
    const turn = random.between(1.6, 3.4);
    for (let stone = 0; stone < stones; stone++) {
      const share = stone / (stones - 1);
      const y = 424 + share * share * 150;
      const w = 34 + share * 92;
      const x = 400 + Math.sin(share * turn + 0.6) * bend - share * bend * 0.5;
      sketch.ellipse(x + 3, y + 5, w * 0.55, w * 0.17, mood.shade, 0.3);
      sketch.ellipse(x, y, w * 0.55, w * 0.17, sketch.down(lit('#c9c3b6', mood, 0.3), '#9f988b'));
    }
  }
  if (focus === 'mow') {
    const x = random.between(220, 480);
    const body = random.pick(['#d8443a', '#2f8f5a', '#e08a2a', '#2f6fa8']);
    sketch.poly(
      [
        [x - 20, 560],
        [x + 150, 560],
        [x + 96, 392],
        [x + 40, 392],
      ],
      mood.light,
      0.2,
    );
    sketch.shadow(x + 70, 558, 130, 18, 0.55);
    sketch.stroke(`M${to(x + 124, 514)}L${to(x + 236, 392)}h26`, '#2d3539', 7);
    sketch.path(`M${to(x - 10, 552)}q-6 -56 34 -62h86q36 8 40 62Z`, sketch.down(lit(body, mood, 0.3), body, shaded(body, mood, 0.4)));
    sketch.rect(x + 28, 464, 74, 34, sketch.down('#4a555b', '#20282c'), 8);
    sketch.rect(x + 120, 488, 76, 60, sketch.down('#515c61', '#2b3337'), 12);
    for (const wheel of [8, 128]) {
      sketch.circle(x + wheel, 552, 22, '#1d2326');
      sketch.circle(x + wheel, 552, 10, '#c9d0d2');
    }
  } else if (focus === 'water') {
    for (const [x, y] of [
      [random.between(170, 280), 500],
      [random.between(500, 640), 468],
    ] as const) {
      sketch.shadow(x, y + 2, 24, 6, 0.4);
      sketch.rect(x - 4, y - 22, 8, 24, '#2d3539', 2);
      for (let jet = -6; jet <= 6; jet++) {
        const reach = jet * 26;
        sketch.stroke(`M${to(x, y - 22)}Q${to(x + reach * 0.5, y - 120 + Math.abs(jet) * 6, x + reach, y - 6)}`, '#eefaff', 2.6, 0.55);
      }
      sketch.glow(x, y - 50, 90, '#ffffff', 0.3);
    }
  } else if (focus === 'plants') {
    const x = random.between(430, 560);
    sketch.shadow(x + 60, 566, 130, 16, 0.5);
    sketch.stroke(`M${to(x + 110, 506)}L${to(x + 216, 470)}M${to(x + 110, 522)}L${to(x + 206, 490)}`, '#b5844f', 9);
    sketch.path(`M${to(x - 40, 474)}h176l-42 66h-92Z`, sketch.down('#4fa06a', '#2a6a48'));
    drawCrown(sketch, mood, x + 44, 462, 72, 28, '#6f9a4a', 9);
    for (let bloom = 0; bloom < 7; bloom++)
      sketch.circle(x + random.between(-10, 100), random.between(438, 466), 6, random.pick(['#f2c14e', '#e4572e', '#f7a1c4', '#ffffff']));
    sketch.circle(x - 8, 552, 24, '#22292c');
    sketch.circle(x - 8, 552, 9, '#b9c2c4');
  }
}
