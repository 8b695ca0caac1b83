import { drawHouse } from '../houses/house.ts';
import { drawBackdrop } from '../land/lands.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawShrub, drawTree } from '../plants.ts';
import { type Sketch, to } from '../sketch.ts';
import { drawLawn } from './ground.ts';

/** A driveway to a house, or a deck before it. */
export function driveway(sketch: Sketch, mood: Mood, regionCode: number, surface: 'concrete' | 'pavers' | 'deck') {
  const { random } = sketch;
  const horizon = 326;
  drawBackdrop(sketch, mood, horizon, regionCode);
  drawLawn(sketch, mood, horizon - 2, random.pick(['#6fa046', '#7a9c48', '#5f9350', '#86a852']), false);
  for (let tree = 0; tree < 4; tree++)
    drawTree(sketch, mood, random.chance(0.5) ? random.between(-10, 130) : random.between(670, 810), 430, random.between(190, 300));
  drawHouse(sketch, mood, random.pick(['brick', 'modern', 'bungalow', 'villa'] as const), 130, 440, 540);
  const base = {
    concrete: random.pick(['#c9c7c0', '#b5b5b0', '#a3a6a8', '#d3c8b6']),
    pavers: random.pick(['#b9886a', '#a9a29a', '#c9ab86', '#8f8a88']),
    deck: random.pick(['#b97f4e', '#a0683f', '#c9975e']),
  }[surface];
  const outline = surface === 'deck' ? 'M90 446H710L870 620H-70Z' : `M${to(330, 440)}H640L760 620H120Z`;
  sketch.path(outline, sketch.down(shaded(base, mood, 0.22), base, lit(base, mood, 0.3)));
  sketch.within({ clip: outline }, () => {
    let joints = '';
    if (surface === 'deck')
      for (let board = -22; board <= 22; board++) joints += `M${to(400 + board * 20, 440)}L${to(400 + board * 44, 620)}`;
    else if (surface === 'concrete') joints = 'M100 486H800M60 540H820M484 436L440 620';
    else {
      for (let row = 0, y = 440; y < 610; row++) {
        const size = 9 + row * 1.9;
        joints += `M0 ${to(y)}H800`;
        for (let x = (row % 2) * size; x < 800; x += size * 2.4) joints += `M${to(x, y)}v${to(size)}`;
        y += size;
      }
    }
    sketch.stroke(joints, shaded(base, mood, 0.65), surface === 'concrete' ? 4 : 2, 0.42);
    for (let fleck = 0; fleck < 60; fleck++)
      sketch.circle(
        random.between(80, 760),
        random.between(446, 598),
        random.between(0.8, 2.2),
        random.chance(0.5) ? '#ffffff' : mood.shade,
        0.28,
      );
    sketch.rect(0, 436, 800, 26, sketch.down([mood.shade, 0.4], [mood.shade, 0]));
  });
  if (surface === 'deck') {
    for (const x of [120, 640]) drawShrub(sketch, mood, x, 476, 60, 0.8);
    sketch.shadow(420, 540, 130, 16, 0.45);
    sketch.rect(330, 494, 180, 10, lit('#c99a62', mood, 0.25), 3);
    for (const leg of [346, 484]) sketch.rect(leg, 502, 9, 42, shaded('#8a5c3a', mood, 0.2));
    for (const seat of [270, 524])
      sketch.rect(seat, 516, 52, 30, sketch.down(random.pick(['#2a7f78', '#e0a030', '#c8543a', '#33507a']), '#2b3236'), 8);
  } else {
    sketch.stroke(surface === 'concrete' ? 'M330 440L120 620M640 440L760 620' : 'M330 440L120 620', lit('#e3ddd0', mood, 0.2), 9, 0.8);
    for (let shrub = 0; shrub < 8; shrub++)
      drawShrub(
        sketch,
        mood,
        shrub % 2 ? random.between(-10, 130) : random.between(712, 810),
        random.between(470, 590),
        random.between(40, 80),
        0.6,
      );
    if (random.chance(0.5)) {
      const x = random.between(350, 520);
      sketch.shadow(x + 30, 548, 70, 10, 0.4);
      sketch.path(`M${to(x, 546)}l10 -54h44l12 54Z`, '#e8683a');
      sketch.path(`M${to(x + 5, 522)}h56l-4 -14h-49Z`, '#ffffff');
    }
  }
}
