import { drawScaffold } from '../equipment/scaffold.ts';
import { drawVan } from '../equipment/van.ts';
import { drawBackdrop, landOf } from '../land/lands.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawShrub, drawTree } from '../plants.ts';
import { type Sketch, mix, to } from '../sketch.ts';

export function buildingSite(sketch: Sketch, mood: Mood, regionCode: number, kind: 'frame' | 'tower' | 'demolition') {
  const { random } = sketch;
  const horizon = 360;
  drawBackdrop(sketch, mood, horizon, regionCode);
  const earth = random.pick(['#b9976b', '#a88a66', '#c9a97c', '#9f8a6f']);
  const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
  sketch.rect(0, horizon - 2, 800, 90, mix(ground, mood.haze, 0.2));
  for (let tree = 0; tree < 4; tree++) drawTree(sketch, mood, random.between(0, 800), 420, random.between(120, 200));
  sketch.path('M-10 436Q200 410 420 424T810 420V610H-10Z', sketch.down(lit(earth, mood, 0.25), shaded(earth, mood, 0.2)));
  const pine = random.pick(['#e2b878', '#d8a763', '#ecc78d']);
  const beam = (x: number, y: number, w: number, h: number) =>
    sketch.rect(x, y, w, h, sketch.across(lit(pine, mood, 0.25), shaded(pine, mood, 0.22)));
  if (kind === 'tower') {
    const concrete = random.pick(['#b9bdbf', '#a9b2b8', '#c6bfb2']);
    const x = random.between(180, 300);
    for (let floor = 0; floor < 6; floor++) {
      const y = 500 - floor * 66;
      sketch.rect(x, y - 66, 320, 66, sketch.across(shaded('#8d9aa2', mood, 0.2), shaded('#6d7b84', mood, 0.5)));
      if (floor < 4)
        for (let pane = 0; pane < 6; pane++)
          sketch.rect(
            x + 10 + pane * 52,
            y - 56,
            42,
            48,
            sketch.diagonal(mix(mood.sky[1], '#ffffff', 0.35), mix(mood.sky[0], '#1b3442', 0.4)),
            1,
            random.chance(0.8) ? 0.95 : 0.2,
          );
      else for (let column = 0; column < 5; column++) sketch.rect(x + 4 + column * 75, y - 66, 12, 66, lit(concrete, mood, 0.15));
      sketch.rect(x - 10, y - 72, 340, 12, sketch.down(lit(concrete, mood, 0.3), shaded(concrete, mood, 0.1)));
    }
    const mast = random.chance(0.5) ? x + 400 : x - 90;
    const yellow = '#e8b23a';
    sketch.rect(mast - 7, 50, 14, 460, yellow);
    let lattice = '';
    for (let y = 60; y < 500; y += 22) lattice += `M${to(mast - 7, y)}l14 22m0 -22l-14 22`;
    for (let jib = mast - 250; jib < mast + 120; jib += 20) lattice += `M${to(jib, 78)}l10 -18l10 18`;
    sketch.stroke(lattice, shaded(yellow, mood, 0.35), 2.2);
    sketch.rect(mast - 260, 76, 390, 7, yellow);
    sketch.stroke(`M${to(mast, 22)}L${to(mast - 240, 74)}M${to(mast, 22)}L${to(mast + 120, 74)}M${to(mast, 22)}v40`, '#6b5520', 2.6);
    sketch.rect(mast + 92, 80, 36, 34, '#8a9398');
    sketch.stroke(`M${to(mast - 170, 82)}V${to(150)}`, '#4b5458', 2.4);
    sketch.rect(mast - 204, 150, 68, 9, pine);
    drawScaffold(sketch, mood, x - 20, 506, 360, 132);
  } else {
    const x = random.between(130, 190);
    const w = random.between(430, 490);
    sketch.shadow(x + w / 2, 506, w * 0.6, 22, 0.4);
    sketch.rect(x - 24, 486, w + 48, 22, sketch.down(lit('#c6c4bd', mood, 0.2), shaded('#a9a7a1', mood, 0.25)), 2);
    const top = 300;
    if (random.chance(0.6))
      sketch.rect(x, top + 10, w * 0.42, 176, sketch.across(mix('#9fc0d6', mood.light, 0.2), mix('#7fa5c0', mood.shade, 0.15)));
    for (let stud = 0; stud <= 12; stud++) beam(x + (stud * w) / 12 - 5, top, 10, 188);
    for (const y of [top - 8, top + 88, 478]) beam(x - 10, y, w + 20, 10);
    if (kind === 'frame') {
      for (let truss = 0; truss <= 8; truss++) {
        const at = x + (truss * w) / 8;
        sketch.stroke(`M${to(at - 4, top - 8)}L${to(at + 22, top - 112)}`, shaded(pine, mood, 0.3), 7, 0.8);
      }
      sketch.stroke(`M${to(x - 34, top - 4)}L${to(x + w * 0.5, top - 132)}L${to(x + w + 34, top - 4)}Z`, pine, 10);
      for (const share of [0.22, 0.36, 0.5, 0.64, 0.78]) {
        const height = 128 * (1 - Math.abs(share - 0.5) * 2);
        sketch.stroke(`M${to(x + w * share, top - 4)}v${to(-height)}`, lit(pine, mood, 0.1), 8);
      }
      if (random.chance(0.5)) drawScaffold(sketch, mood, x - 20, 504, w + 40, 170);
    } else {
      sketch.path(
        `M${to(x + w * 0.5, 490)}l40 -60l50 26l36 -48l54 52l60 -22l40 52Z`,
        sketch.down(lit('#b9a08a', mood, 0.2), shaded('#8f7a68', mood, 0.3)),
      );
      const dx = random.between(20, 60);
      const yellow = '#e8a92f';
      sketch.rect(dx + 10, 520, 190, 38, '#2a3134', 19);
      for (let wheel = 0; wheel < 5; wheel++) sketch.circle(dx + 32 + wheel * 36, 539, 11, '#6b767b');
      sketch.path(`M${to(dx + 20, 518)}v-66h58l20 -36h62v102Z`, sketch.down(lit(yellow, mood, 0.3), shaded(yellow, mood, 0.2)));
      sketch.path(`M${to(dx + 92, 462)}l14 -32h40v32Z`, mix(mood.sky[1], '#20303a', 0.35));
      sketch.stroke(`M${to(dx + 150, 470)}L${to(dx + 260, 340)}L${to(dx + 340, 440)}`, shaded(yellow, mood, 0.05), 18);
      sketch.path(`M${to(dx + 318, 430)}l48 6l10 40l-40 14l-26 -22Z`, '#4a5458');
    }
  }
  for (let stack = 0; stack < 4; stack++) beam(random.between(560, 600), 560 - stack * 13, 180, 11);
  if (kind !== 'demolition' && random.chance(0.4)) drawVan(sketch, mood, random.between(20, 120), 590, 230);
  for (let cone = 0; cone < random.int(1, 3); cone++) {
    const x = random.between(260, 520);
    sketch.path(`M${to(x, 584)}l10 -50h12l12 50Z`, '#e8683a');
    sketch.rect(x + 6, 554, 22, 9, '#ffffff');
    sketch.rect(x - 8, 582, 48, 7, '#b94a26', 2);
  }
  for (let shrub = 0; shrub < 3; shrub++) drawShrub(sketch, mood, random.between(0, 800), 440, random.between(24, 40), 0);
}
