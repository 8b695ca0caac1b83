// The colours that follow from a site's accent colour, each readable where it stands.

type Rgb = readonly [number, number, number];

const parse = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const format = (colour: Rgb) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
const mix = (from: Rgb, to: Rgb, share: number) => from.map((part, at) => part + ((to[at] ?? 0) - part) * share) as unknown as Rgb;

/** Relative luminance, by WCAG 2. */
const getLuminance = (colour: Rgb) =>
  colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, at) => sum + part * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);

/** The contrast of two colours, from 1 to 21. */
export function getContrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [one, other].map((hex) => getLuminance(parse(hex))).toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** The colour, moved towards another one by as little as the contrast with its ground needs. */
function until(colour: Rgb, towards: Rgb, ground: string, contrast: number): string {
  for (let step = 0; step < 50; step += 1) {
    const moved = format(mix(colour, towards, step / 50));
    if (getContrast(moved, ground) >= contrast) return moved;
  }
  return format(towards);
}

/** The design tokens of `tokens.css` that follow from the accent colour, in the light and in the dark scheme. */
export function getAccentTokens(accent: string) {
  const colour = parse(accent);
  const soft = { light: format(mix(colour, white, 0.88)), dark: format(mix(colour, parse('#0e1a1c'), 0.8)) };
  const light = {
    accent,
    'accent-text': until(colour, black, soft.light, 5),
    'accent-soft': soft.light,
    'accent-soft-text': until(colour, black, soft.light, 6),
    button: until(colour, black, '#ffffff', 5),
    'button-hover': until(colour, black, '#ffffff', 7),
    'on-button': '#ffffff',
  };
  const bright = until(colour, white, '#162528', 6.5);
  const dark = {
    accent: bright,
    'accent-text': bright,
    'accent-soft': soft.dark,
    'accent-soft-text': until(colour, white, soft.dark, 7),
    button: bright,
    'button-hover': format(mix(parse(bright), white, 0.3)),
    'on-button': '#05171c',
  };
  return { light, dark };
}

const toRules = (tokens: Record<string, string>) =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** A style sheet that puts the accent colour into the pages; empty for the built-in one. */
export function formatAccentStyle(accent: string): string {
  if (accent === '') return '';
  const { light, dark } = getAccentTokens(accent);
  // More specific than the rules of the style sheet, whichever comes first.
  return `html:root{${toRules(light)};--logo-tile:${accent};--logo-line:${getContrast(accent, '#0f2a2e') >= 3 ? '#0f2a2e' : '#ffffff'}}html[data-mantine-color-scheme='dark']:root{${toRules(dark)}}`;
}
