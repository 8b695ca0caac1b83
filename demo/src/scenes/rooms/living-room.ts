import { drawBottle, drawBucket, drawMop } from '../equipment/cleaning.ts';
import type { Mood } from '../moods.ts';
import type { Sketch } from '../sketch.ts';
import { drawArt, drawPendant, drawPotPlant, drawRug, drawSofa } from './furniture.ts';
import { drawRoom, drawSunPatch, pickDecor } from './room.ts';
import { drawRoomWindow } from './room-window.ts';

export function livingRoom(sketch: Sketch, mood: Mood, regionCode: number, work: 'clean' | 'plain' | 'lights') {
  const { random } = sketch;
  const decor = pickDecor(sketch);
  drawRoom(sketch, mood, decor);
  const windowLeft = random.chance(0.5);
  drawRoomWindow(sketch, mood, windowLeft ? 90 : 450, 82, 250, 220, regionCode);
  const artX = windowLeft ? 500 : 120;
  if (random.chance(0.6)) drawArt(sketch, mood, artX, 110, 130, 160, decor);
  else {
    drawArt(sketch, mood, artX - 20, 120, 90, 116, decor);
    drawArt(sketch, mood, artX + 90, 100, 110, 140, decor);
  }
  drawSunPatch(sketch, mood, windowLeft ? 220 : 360);
  drawRug(sketch, mood, random.chance(0.5) ? decor.accent : decor.second);
  drawSofa(
    sketch,
    mood,
    random.between(170, 270),
    505,
    random.between(330, 380),
    random.chance(0.5) ? decor.accent : decor.second,
    random.sample([decor.warm, '#f3eee2', decor.wood, decor.accent], random.int(2, 3)),
  );
  drawPotPlant(
    sketch,
    mood,
    random.chance(0.5) ? 92 : 706,
    500,
    random.between(110, 150),
    random.pick([decor.warm, '#f1ece2', decor.wood]),
  );
  if (work === 'lights')
    for (const x of random.chance(0.5) ? [260, 400, 540] : [400])
      drawPendant(sketch, mood, x, random.between(70, 110), x === 400 ? 54 : 40, random.pick([decor.accent, '#2b3236', decor.warm]));
  if (work !== 'clean') return;
  drawMop(sketch, mood, random.between(560, 620), 560);
  drawBucket(sketch, mood, random.between(660, 700), 574, 74, random.pick(['#2f8fc9', '#e0a030', '#d8543a', '#2fa37a']));
  for (const shift of [0, 34])
    drawBottle(sketch, mood, 130 + shift, 572, 66 + shift * 0.3, random.pick(['#3fb8a0', '#f2a541', '#6aa5e0', '#e0688a']));
}
