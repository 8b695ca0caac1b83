import { type Kit, type Tool, drill, hammer, handles, kits, tape } from '../equipment/hand-tools.ts';
import { drawPaintTin } from '../equipment/paint-tin.ts';
import { type Mood, lit, shaded } from '../moods.ts';
import { type Sketch, to } from '../sketch.ts';
import { drawRoomWindow } from './room-window.ts';

export function workBench(sketch: Sketch, mood: Mood, regionCode: number, kit: Kit) {
  const { random } = sketch;
  const back = random.pick(['#3f5a60', '#5d6b58', '#d9cdb8', '#7f99a0', '#b98d6a', '#33434f', '#8a9a86', '#c9b39a']);
  sketch.rect(0, 0, 800, 440, sketch.down(lit(back, mood, 0.22), back, shaded(back, mood, 0.25)));
  if (random.chance(0.5)) {
    let holes = '';
    for (let y = 26; y < 420; y += 30)
      for (let x = 20; x < 800; x += 30) holes += `M${to(x - 2.5, y)}a2.5 2.5 0 1 1 5 0a2.5 2.5 0 1 1 -5 0Z`;
    sketch.path(holes, shaded(back, mood, 0.7), 0.5);
  } else {
    let seams = '';
    for (let x = 0; x < 800; x += random.between(78, 96)) seams += `M${to(x, 0)}V440`;
    sketch.stroke(seams, shaded(back, mood, 0.7), 2.4, 0.4);
  }
  const windowLeft = random.chance(0.5);
  const hasWindow = random.chance(0.6);
  if (hasWindow) drawRoomWindow(sketch, mood, windowLeft ? 60 : 540, 56, 200, 190, regionCode);
  const from = hasWindow && windowLeft ? 370 : 110;
  const until = hasWindow && !windowLeft ? 440 : 700;
  const hung = random.sample(kits[kit] ?? [], hasWindow ? 3 : 5);
  hung.forEach((tool, index) => {
    const x = from + ((until - from) * index) / Math.max(1, hung.length - 1);
    const color = random.pick(handles);
    for (const pass of ['shadow', 'tool'] as const) {
      const shift = pass === 'shadow' ? 9 : 0;
      sketch.within(
        { transform: `translate(${to(x + shift, 216 + shift * 1.4)}) scale(1.4)`, ...(pass === 'shadow' && { opacity: 0.16 }) },
        () => {
          if (pass === 'shadow') sketch.rect(-18, -84, 36, 168, '#000000', 14);
          else tool(sketch, mood, color);
        },
      );
    }
  });
  const wood = random.pick(['#b98554', '#c99a68', '#9a6a44', '#d3ab78']);
  sketch.rect(0, 420, 800, 30, sketch.down([mood.shade, 0], [mood.shade, 0.35]));
  sketch.rect(0, 446, 800, 104, sketch.down(lit(wood, mood, 0.35), wood));
  let grain = '';
  for (let line = 0; line < 12; line++)
    grain += `M${to(random.between(-40, 500), 452 + line * 8)}q${to(random.between(80, 160), random.between(-5, 5), random.between(200, 400), random.between(-3, 3))}`;
  sketch.stroke(grain, shaded(wood, mood, 0.6), 1.6, 0.35);
  sketch.rect(0, 550, 800, 50, sketch.down(shaded(wood, mood, 0.35), shaded(wood, mood, 0.6)));
  const lying: readonly [Tool, number][] = [
    [random.pick([drill, tape]), random.between(110, 190)],
    [random.pick(kits[kit] ?? [hammer]), random.between(330, 420)],
  ];
  for (const [tool, x] of lying) {
    const flat = tool !== drill && tool !== tape;
    sketch.shadow(x, 524, 110, 16, 0.45);
    sketch.within(
      { transform: `translate(${to(x, flat ? 500 : 446)}) ${flat ? `rotate(${random.int(70, 110)}) scale(0.95)` : 'scale(0.9)'}` },
      () => tool(sketch, mood, random.pick(handles)),
    );
  }
  if (kit === 'paint')
    for (const x of [540, 650])
      drawPaintTin(sketch, mood, x, 526, random.between(90, 112), random.pick(['#2f7f86', '#d9795a', '#e0b04f', '#4f6fa0', '#7f9f7a']));
  else {
    const x = random.between(520, 590);
    const color = random.pick(handles);
    sketch.shadow(x + 80, 530, 120, 16, 0.5);
    sketch.stroke(`M${to(x + 46, 428)}v-26h70v26`, '#2b3337', 9);
    sketch.rect(x, 428, 164, 98, sketch.down(lit(color, mood, 0.3), color, shaded(color, mood, 0.35)), 8);
    sketch.rect(x, 464, 164, 8, shaded(color, mood, 0.55));
    for (const latch of [28, 118]) sketch.rect(x + latch, 456, 18, 24, '#dfe4e6', 3);
  }
  sketch.rect(
    windowLeft ? 0 : 400,
    0,
    400,
    440,
    windowLeft ? sketch.across([mood.light, 0.28], [mood.light, 0]) : sketch.across([mood.light, 0], [mood.light, 0.28]),
  );
}
