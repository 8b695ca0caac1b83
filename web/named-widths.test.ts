import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { breakpoints, fullWidth } from './app/lib/breakpoints.ts';
import { namedWidths } from './named-widths.ts';

/** A rule's condition after the plugin. */
function written(kind: string, params: string) {
  const rule = { params, error: (message: string) => new Error(message) };
  namedWidths.Once({
    walkAtRules(name, each) {
      if (name === kind) each(rule);
    },
  });
  return rule.params;
}

test.each([
  ['media', '(--from-tablet)', '(min-width: 600px)'],
  ['media', '(--below-desk) and (hover: hover)', '(max-width: 899.98px) and (hover: hover)'],
  ['media', 'print', 'print'],
  ['container', '(--below-fan)', '(max-width: 459.98px)'],
])('resolves @%s %s to its width', (kind, params, expected) => {
  expect(written(kind, params)).toBe(expected);
});

test.each([
  ['media', '(min-width: 720px)', 'Widths are named'],
  ['media', '(width < 720px)', 'Widths are named'],
  ['container', '(max-width: 460px)', 'Widths are named'],
  ['container', '(inline-size < 460px)', 'Widths are named'],
  ['media', '(--below-fan)', 'No width is called --below-fan'],
  ['container', '(--from-tablet)', 'No width is called --from-tablet'],
])('rejects @%s %s', (kind, params, expected) => {
  expect(() => written(kind, params)).toThrow(expected);
});

// The source has the numbers, because composing the text would add script to every page.
test('uses only the named widths and the width of the content in scripts', () => {
  const known = new Set([...Object.values(breakpoints), fullWidth].map((width) => `(min-width: ${width}px)`));
  const own = globSync('app/**/*.{ts,tsx}', { cwd: import.meta.dirname }).flatMap((path) => {
    const source = readFileSync(join(import.meta.dirname, path), 'utf8');
    const found = source.match(/\((?:min|max)-width: ?[\d.]+\w*\)|\(width ?[<>=]/g) ?? [];
    return found.filter((one) => !known.has(one)).map((one) => `${path} ${one}`);
  });
  expect(own).toEqual([]);
});
