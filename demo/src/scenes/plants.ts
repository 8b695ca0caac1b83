import { type Mood, lit, shaded } from './moods.ts';
import { type Sketch, mix, to } from './sketch.ts';

const greens = ['#4f8a4b', '#3f7a55', '#6a9a4a', '#2f6b52', '#7ba05b', '#557f3e', '#3d8070'] as const;
const blossoms = ['#e4572e', '#d81e5b', '#f2c14e', '#f7a1c4', '#b388eb', '#ffffff', '#ef8354', '#ff6f91'] as const;

/** Circles that grow together to a crown: dark below, light where the sun is. */
export function drawCrown(sketch: Sketch, mood: Mood, cx: number, cy: number, rx: number, ry: number, color: string, lobes = 11) {
  const { random } = sketch;
  const blob = (shiftX: number, shiftY: number, size: number, count: number) => {
    let d = '';
    for (let lobe = 0; lobe < count; lobe++) {
      const angle = (lobe / count) * Math.PI * 2 + random.between(-0.3, 0.3);
      const reach = random.between(0.35, 0.72);
      const radius = Math.min(rx, ry) * random.between(0.34, 0.5) * size;
      const x = cx + shiftX + Math.cos(angle) * rx * reach * size;
      const y = cy + shiftY + Math.sin(angle) * ry * reach * size;
      d += `M${to(x - radius, y)}a${to(radius, radius)} 0 1 1 ${to(radius * 2, 0)}a${to(radius, radius)} 0 1 1 ${to(-radius * 2, 0)}Z`;
    }
    return `${d}M${to(cx + shiftX - rx * 0.6 * size, cy + shiftY)}a${to(rx * 0.6 * size, ry * 0.6 * size)} 0 1 1 ${to(rx * 1.2 * size, 0)}a${to(rx * 0.6 * size, ry * 0.6 * size)} 0 1 1 ${to(-rx * 1.2 * size, 0)}Z`;
  };
  sketch.path(blob(0, 0, 1, lobes), sketch.down(shaded(color, mood, 0.12), shaded(color, mood, 0.55)));
  sketch.path(blob(-rx * 0.1, -ry * 0.12, 0.8, lobes - 2), color, 0.9);
  sketch.path(blob(-rx * 0.2, -ry * 0.26, 0.5, lobes - 4), lit(color, mood, 0.28), 0.75);
}

const pickGreen = (sketch: Sketch) => sketch.random.pick(greens);

export function drawTree(sketch: Sketch, mood: Mood, x: number, base: number, height: number) {
  const { random } = sketch;
  const color = pickGreen(sketch);
  const kind = random.weighted(
    ['round', 'poplar', 'cabbage', 'gum'] as const,
    (one) => ({ round: 5, poplar: 1.2, cabbage: 1.4, gum: 2 })[one],
  );
  sketch.shadow(x + height * 0.08, base, height * 0.38, height * 0.06, 0.32);
  const bark = shaded('#8a6a4f', mood, 0.3);
  if (kind === 'poplar') {
    sketch.rect(x - 4, base - height * 0.3, 8, height * 0.3, bark);
    sketch.path(
      `M${to(x, base - height)}C${to(x + height * 0.2, base - height * 0.6, x + height * 0.16, base - height * 0.14, x, base - height * 0.12)}C${to(x - height * 0.16, base - height * 0.14, x - height * 0.2, base - height * 0.6, x, base - height)}Z`,
      sketch.across(lit(color, mood, 0.2), color, shaded(color, mood, 0.5)),
    );
    return;
  }
  if (kind === 'cabbage') {
    // Tī kōuka: bare stems, each with a tuft of narrow leaves.
    const stems = random.int(2, 3);
    for (let stem = 0; stem < stems; stem++) {
      const tipX = x + (stem - (stems - 1) / 2) * height * 0.26 + random.between(-6, 6);
      const tipY = base - height * random.between(0.68, 0.86);
      sketch.stroke(`M${to(x, base)}Q${to(x, base - height * 0.4, tipX, tipY)}`, bark, height * 0.045);
      let dark = '';
      let bright = '';
      for (let leaf = 0; leaf < 26; leaf++) {
        const angle = random.between(-Math.PI * 1.15, Math.PI * 0.15);
        const reach = height * random.between(0.14, 0.22);
        const blade = `M${to(tipX, tipY)}l${to(Math.cos(angle) * reach, Math.sin(angle) * reach)}`;
        if (leaf % 2) dark += blade;
        else bright += blade;
      }
      sketch.stroke(dark, shaded('#5f8a55', mood, 0.45), height * 0.022);
      sketch.stroke(bright, '#7fa668', height * 0.018);
    }
    return;
  }
  if (kind === 'gum') {
    const pale = mix('#c9b9a4', mood.light, 0.2);
    const lean = random.between(-0.1, 0.1) * height;
    sketch.stroke(`M${to(x, base)}Q${to(x + lean * 0.2, base - height * 0.4, x + lean, base - height * 0.72)}`, pale, height * 0.05);
    sketch.stroke(
      `M${to(x + lean * 0.4, base - height * 0.45)}Q${to(x + height * 0.1, base - height * 0.55, x + height * 0.18, base - height * 0.68)}`,
      pale,
      height * 0.03,
    );
    const leaf = mix(color, '#8aa08a', 0.5);
    drawCrown(sketch, mood, x + lean - height * 0.12, base - height * 0.74, height * 0.22, height * 0.15, leaf, 9);
    drawCrown(sketch, mood, x + height * 0.2, base - height * 0.7, height * 0.18, height * 0.12, leaf, 9);
    drawCrown(sketch, mood, x + lean + height * 0.04, base - height * 0.86, height * 0.2, height * 0.14, leaf, 9);
    return;
  }
  sketch.path(
    `M${to(x - height * 0.035, base)}Q${to(x - height * 0.01, base - height * 0.3, x - height * 0.03, base - height * 0.5)}H${to(x + height * 0.03)}Q${to(x + height * 0.015, base - height * 0.3, x + height * 0.04, base)}Z`,
    bark,
  );
  drawCrown(sketch, mood, x, base - height * 0.64, height * random.between(0.3, 0.4), height * random.between(0.3, 0.38), color, 12);
}

export function drawShrub(sketch: Sketch, mood: Mood, x: number, base: number, size: number, flowers = 0.5) {
  const { random } = sketch;
  sketch.shadow(x, base, size * 0.75, size * 0.14, 0.3);
  drawCrown(sketch, mood, x, base - size * 0.42, size * random.between(0.55, 0.75), size * 0.45, pickGreen(sketch), 9);
  if (!random.chance(flowers)) return;
  const color = random.pick(blossoms);
  for (let flower = 0; flower < 9; flower++) {
    const at = [x + random.between(-0.5, 0.5) * size, base - size * random.between(0.15, 0.8)] as const;
    sketch.circle(at[0], at[1], size * 0.055, flower % 3 ? color : lit(color, mood, 0.4));
  }
}

/** Harakeke or another plant of long blades. */
export function drawFlax(sketch: Sketch, mood: Mood, x: number, base: number, size: number, color = '#5c8250') {
  const { random } = sketch;
  sketch.shadow(x, base, size * 0.6, size * 0.1, 0.3);
  for (let blade = 0; blade < 16; blade++) {
    const side = (blade / 15 - 0.5) * 2;
    const tipX = x + side * size * 0.75 + random.between(-4, 4);
    const tipY = base - size * (1 - Math.abs(side) * 0.45) * random.between(0.75, 1);
    const tone = blade % 3 === 0 ? lit(color, mood, 0.25) : blade % 3 === 1 ? color : shaded(color, mood, 0.4);
    sketch.path(
      `M${to(x - 3 + side * 6, base)}Q${to(x + side * size * 0.2, base - size * 0.6, tipX, tipY)}Q${to(x + side * size * 0.3, base - size * 0.5, x + 4 + side * 6, base)}Z`,
      tone,
    );
  }
}

/** Dark leaves at the rim of the picture, near the eye: they give the scene its depth. */
export function drawNearLeaves(sketch: Sketch, mood: Mood) {
  const { random } = sketch;
  const right = random.chance(0.5);
  const base = shaded(pickGreen(sketch), mood, 0.62);
  const corner = right ? 800 : 0;
  const sign = right ? -1 : 1;
  for (let leaf = 0; leaf < 9; leaf++) {
    const reach = random.between(90, 190);
    const angle = random.between(0.15, 1.35);
    const x = corner + sign * Math.cos(angle) * reach;
    const y = 615 - Math.sin(angle) * reach * 0.9;
    const bend = random.between(16, 30);
    sketch.path(
      `M${to(corner - sign * 12, 620)}Q${to((corner + x) / 2 - bend, (620 + y) / 2 - bend, x, y)}Q${to((corner + x) / 2 + bend, (620 + y) / 2 + bend, corner - sign * 12, 620)}Z`,
      mix(base, pickGreen(sketch), random.between(0.02, 0.28)),
    );
  }
}
