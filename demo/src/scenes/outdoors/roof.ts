import { drawLadder } from '../equipment/ladder.ts';
import { drawBackdrop, landOf } from '../land/lands.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { drawTree } from '../plants.ts';
import { type Sketch, mix, to } from '../sketch.ts';

export function roof(sketch: Sketch, mood: Mood, regionCode: number) {
  const { random } = sketch;
  drawBackdrop(sketch, mood, 300, regionCode);
  const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
  sketch.rect(0, 298, 800, 302, sketch.down(mix(ground, mood.haze, 0.3), shaded(ground, mood, 0.2)));
  for (let tree = 0; tree < 6; tree++) drawTree(sketch, mood, random.between(0, 800), random.between(400, 440), random.between(120, 230));
  const color = random.pick(['#5b6770', '#8a4136', '#3f5f58', '#4f5b66', '#a5583f', '#2f434f', '#7a7466', '#b5553a']);
  const ridgeY = random.between(190, 240);
  const left = random.between(60, 140);
  const right = random.between(650, 730);
  const outline = `M${to(left, ridgeY)}H${to(right)}L${to(right + 190, 640)}H${to(left - 190)}Z`;
  sketch.path(outline, sketch.diagonal(lit(color, mood, 0.34), color, shaded(color, mood, 0.3)));
  const tiled = random.chance(0.45);
  sketch.within({ clip: outline }, () => {
    if (tiled) {
      let rows = '';
      let lip = '';
      let row = 0;
      for (let y = ridgeY; y < 620; row++) {
        const size = 26 + (y - ridgeY) * 0.06;
        for (let x = -60 - (row % 2) * size; x < 860; x += size * 2) rows += `M${to(x, y)}q${to(size, size * 0.9, size * 2, 0)}`;
        lip += `M-60 ${to(y)}H860`;
        y += size * 0.86;
      }
      sketch.stroke(rows, shaded(color, mood, 0.8), 4, 0.4);
      sketch.stroke(lip, mood.light, 2, 0.12);
      for (let tile = 0; tile < 26; tile++)
        sketch.rect(random.between(0, 760), random.between(ridgeY, 580), 50, 22, random.chance(0.5) ? mood.light : mood.shade, 6, 0.12);
    } else {
      let dark = '';
      let bright = '';
      for (let rib = -22; rib <= 22; rib++) {
        dark += `M${to(400 + rib * 16, ridgeY)}L${to(400 + rib * 26, 640)}`;
        bright += `M${to(404 + rib * 16, ridgeY)}L${to(406 + rib * 26, 640)}`;
      }
      sketch.stroke(dark, shaded(color, mood, 0.7), 3.4, 0.45);
      sketch.stroke(bright, mood.light, 2, 0.28);
      for (const y of [ridgeY + 130, ridgeY + 280]) sketch.rect(0, y, 800, 3, mood.shade, 0, 0.25);
    }
  });
  sketch.rect(left - 10, ridgeY - 10, right - left + 20, 18, sketch.down(lit(color, mood, 0.5), shaded(color, mood, 0.15)), 8);
  const chimneyX = random.chance(0.5) ? left + 70 : right - 130;
  const brick = random.pick(['#a85a43', '#b9735a', '#8f4a3c']);
  sketch.poly(
    [
      [chimneyX, ridgeY + 66],
      [chimneyX + 62, ridgeY + 66],
      [chimneyX + 190, ridgeY + 150],
      [chimneyX + 128, ridgeY + 150],
    ],
    mood.shade,
    0.22,
  );
  sketch.rect(chimneyX, ridgeY - 70, 62, 138, sketch.across(lit(brick, mood, 0.25), shaded(brick, mood, 0.35)));
  let courses = '';
  for (let y = 0; y < 14; y++)
    courses += `M${to(chimneyX, ridgeY - 66 + y * 10)}h62M${to(chimneyX + (y % 2 ? 20 : 40), ridgeY - 66 + y * 10)}v10`;
  sketch.stroke(courses, '#f0dccb', 1.2, 0.35);
  sketch.rect(chimneyX - 8, ridgeY - 82, 78, 16, shaded(brick, mood, 0.2), 2);
  for (const potX of [10, 36]) sketch.rect(chimneyX + potX, ridgeY - 106, 17, 26, sketch.across('#d08a66', '#94523a'), 2);
  const skylightX = chimneyX < 400 ? 470 : 190;
  const fitting = random.next();
  if (fitting < 0.5) {
    sketch.poly(
      [
        [skylightX - 6, ridgeY + 84],
        [skylightX + 116, ridgeY + 84],
        [skylightX + 132, ridgeY + 206],
        [skylightX - 16, ridgeY + 206],
      ],
      '#3a464c',
    );
    sketch.poly(
      [
        [skylightX + 4, ridgeY + 92],
        [skylightX + 106, ridgeY + 92],
        [skylightX + 118, ridgeY + 196],
        [skylightX - 4, ridgeY + 196],
      ],
      sketch.diagonal(mix(mood.sky[2], '#ffffff', 0.3), mood.sky[1], mood.sky[0]),
    );
  } else if (fitting < 0.8) {
    for (const shift of [0, 112]) {
      sketch.poly(
        [
          [skylightX + shift - 40, ridgeY + 80],
          [skylightX + shift + 58, ridgeY + 80],
          [skylightX + shift + 68, ridgeY + 226],
          [skylightX + shift - 50, ridgeY + 226],
        ],
        sketch.diagonal('#3f6a9a', '#16294a', '#0f1f38'),
      );
      sketch.stroke(
        `M${to(skylightX + shift + 9, ridgeY + 80)}V${to(ridgeY + 226)}M${to(skylightX + shift - 44, ridgeY + 128)}h106M${to(skylightX + shift - 47, ridgeY + 178)}h112`,
        '#a9c0d6',
        1.6,
        0.7,
      );
    }
  }
  if (random.chance(0.6)) drawLadder(sketch, mood, random.between(300, 440), 640, 330, 0, random.pick(['#e0a030', '#cfd6d9']));
  const bx = random.between(520, 640);
  sketch.rect(bx, 486, 96, 50, sketch.down('#d8543a', '#a33a28'), 6);
  sketch.stroke(`M${to(bx + 26, 486)}q0 -22 22 -22t22 22`, '#2d3436', 6);
  sketch.rect(bx, 504, 96, 6, '#7f2a1c');
}
