import { expect, test } from 'vitest';
import { formatAccentStyle, getAccentTokens, getContrast } from './accent.ts';

test('measures contrast as WCAG does', () => {
  expect(getContrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(getContrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

const levels = [0, 16, 32, 64, 96, 128, 160, 192, 224, 240, 255].map((level) => level.toString(16).padStart(2, '0'));
const colours = levels.flatMap((red) => levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)));

test('text can be read in every accent colour, in both schemes', () => {
  const unreadable = colours.filter((colour) => {
    const { light, dark } = getAccentTokens(colour);
    const pairs = [
      [light.button, light['on-button']],
      [light['button-hover'], light['on-button']],
      [light['accent-text'], '#fbfaf7'],
      [light['accent-soft-text'], light['accent-soft']],
      [dark.button, dark['on-button']],
      [dark['button-hover'], dark['on-button']],
      [dark['accent-text'], '#162528'],
      [dark['accent-soft-text'], dark['accent-soft']],
    ] as const;
    return pairs.some(([text, ground]) => getContrast(text, ground) < 4.5);
  });
  expect([colours.length, unreadable]).toEqual([1_331, []]);
});

test('the built-in colour needs no style', () => {
  expect(formatAccentStyle('')).toBe('');
  expect(formatAccentStyle('#1d4ed8')).toContain('--accent:#1d4ed8');
});
