import { drawLadder } from '../equipment/ladder.ts';
import { drawPaintTin } from '../equipment/paint-tin.ts';
import { drawScaffold } from '../equipment/scaffold.ts';
import { drawVan } from '../equipment/van.ts';
import { type HouseStyle, drawHouse, houseStyles } from '../houses/house.ts';
import { drawBackdrop, landOf } from '../land/lands.ts';
import type { Mood } from '../moods.ts';
import { drawFlax, drawShrub, drawTree } from '../plants.ts';
import type { Sketch } from '../sketch.ts';
import { drawFence } from './fence.ts';
import { drawLawn, drawPath } from './ground.ts';

const lawns = ['#6f9f4c', '#5f9350', '#86a852', '#4f8a55', '#7a9c48'] as const;

/** A street scene: region behind, trees, one house, garden in front. Returns where the house is. */
export function drawHomeScene(sketch: Sketch, mood: Mood, regionCode: number, style: HouseStyle = sketch.random.pick(houseStyles)) {
  const { random } = sketch;
  const horizon = random.between(318, 350);
  drawBackdrop(sketch, mood, horizon, regionCode);
  const dry = landOf(regionCode).near === 'outback';
  const lawn = dry ? '#b98a55' : random.pick(lawns);
  drawLawn(sketch, mood, horizon - 2, lawn, random.chance(0.35));
  for (let tree = 0; tree < random.int(2, 4); tree++)
    drawTree(
      sketch,
      mood,
      random.chance(0.5) ? random.between(-10, 150) : random.between(640, 810),
      random.between(430, 460),
      random.between(190, 320),
    );
  const w = random.between(470, 560);
  const x = (800 - w) / 2 + random.between(-70, 70);
  const base = random.between(468, 492);
  const house = drawHouse(sketch, mood, style, x, base, w);
  drawPath(
    sketch,
    mood,
    x + w * random.between(0.4, 0.6),
    base,
    46,
    random.between(250, 430),
    130,
    random.pick(['#cfc8ba', '#b9b3a8', '#d8b99a', '#a9a9a4']),
  );
  for (let shrub = 0; shrub < random.int(6, 10); shrub++) {
    const at = random.between(x - 30, x + w + 30);
    if (random.chance(0.75)) drawShrub(sketch, mood, at, base + random.between(4, 22), random.between(28, 56));
    else drawFlax(sketch, mood, at, base + random.between(6, 20), random.between(36, 60));
  }
  return { ...house, base, x, w };
}

type HouseWork = 'none' | 'ladder' | 'van' | 'paint' | 'scaffold' | 'wash';

/** A house, and who is at work on it. */
export function home(sketch: Sketch, mood: Mood, regionCode: number, work: HouseWork) {
  const { random } = sketch;
  const styles = work === 'scaffold' || work === 'paint' ? (['villa', 'bungalow', 'brick'] as const) : houseStyles;
  const place = drawHomeScene(sketch, mood, regionCode, random.pick(styles));
  if (work === 'ladder')
    drawLadder(
      sketch,
      mood,
      place.left + place.w * random.between(0.3, 0.6),
      place.base + 14,
      place.base - place.eaves + 40,
      0,
      random.pick(['#e0a030', '#c3cacd', '#d8643a']),
    );
  if (work === 'paint') {
    drawLadder(
      sketch,
      mood,
      place.left + place.w * random.between(0.5, 0.7),
      place.base + 24,
      place.base - place.eaves + 10,
      0.3,
      '#e0a030',
    );
    for (const shift of [0, 66])
      drawPaintTin(sketch, mood, place.left + 110 + shift, place.base + 64, 62, random.pick(['#2f7f86', '#d9795a', '#7f9f7a', '#4f6fa0']));
  }
  if (work === 'scaffold') drawScaffold(sketch, mood, place.left - 26, place.base + 6, place.w + 52, place.base - place.eaves + 40);
  if (work === 'van') drawVan(sketch, mood, random.between(30, 380), 572, 320);
  if (random.chance(0.25) && work !== 'van')
    drawFence(
      sketch,
      mood,
      596,
      random.between(46, 60),
      random.pick(['#ffffff', '#c9a47a', '#4b5860']),
      random.pick(['picket', 'slats'] as const),
    );
}
