import { drawBackdrop, landOf } from '../land/lands.ts';
import { type Mood, drawSky, lit, shaded } from '../moods.ts';
import { drawTree } from '../plants.ts';
import { type Sketch, box, to } from '../sketch.ts';

/** A look outside: region, garden and sky in a frame. */
export function drawRoomWindow(
  sketch: Sketch,
  mood: Mood,
  x: number,
  y: number,
  w: number,
  h: number,
  regionCode: number,
  frame = '#fbf9f4',
) {
  sketch.rect(x - 12, y - 12, w + 24, h + 24, lit(frame, mood, 0.1), 3);
  sketch.within({ clip: box(x, y, w, h) }, () => {
    const scale = Math.max(w / 800, h / 470);
    sketch.within({ transform: `translate(${to(x + w / 2 - 400 * scale, y)}) scale(${scale.toFixed(3)})` }, () => {
      drawSky(sketch, mood, 330);
      drawBackdrop(sketch, mood, 330, regionCode);
      const ground = landOf(regionCode).ground[1] ?? '#6f9f4c';
      sketch.rect(-300, 328, 1400, 300, sketch.down(lit(ground, mood, 0.2), shaded(ground, mood, 0.25)));
      drawTree(sketch, mood, sketch.random.between(120, 300), 430, 220);
      drawTree(sketch, mood, sketch.random.between(520, 700), 440, 180);
    });
  });
  sketch.rect(x + w / 2 - 4, y, 8, h, frame);
  sketch.poly(
    [
      [x + w * 0.06, y + h],
      [x + w * 0.3, y],
      [x + w * 0.4, y],
      [x + w * 0.16, y + h],
    ],
    '#ffffff',
    0.16,
  );
  sketch.rect(x - 20, y + h + 10, w + 40, 12, shaded(frame, mood, 0.08), 2);
  sketch.rect(x - 14, y + h + 22, w + 28, 10, mood.shade, 0, 0.14);
}
