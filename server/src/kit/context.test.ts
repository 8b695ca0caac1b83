import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..');
const members = [
  ...(
    /export type Context = \{(?<members>.*?)\n\};/s.exec(readFileSync(join(src, 'kit/context.ts'), 'utf8'))?.groups?.['members'] ?? ''
  ).matchAll(/^ {2}(\w+):/gm),
];
const sources = globSync('domains/**/*.ts', { cwd: src, exclude: ['**/*.test.ts'] }).map((file) => ({
  domain: file.split('/')[1],
  text: readFileSync(join(src, file), 'utf8'),
}));

test('every member of the context is used by several domains', () => {
  expect(members.length).toBeGreaterThan(3);
  const ofFew = members
    .map(([, member = '']) => {
      const taken = new RegExp(
        `context\\.${member}\\b|\\{[^{}]*\\b${member}\\b[^{}]*\\}(: (Pick<)?\\w*Context\\b| = (parts\\.)?context\\b)`,
      );
      return { member, domains: [...new Set(sources.filter(({ text }) => taken.test(text)).map(({ domain }) => domain))] };
    })
    .filter(({ domains }) => domains.length < 3);
  expect(ofFew).toEqual([]);
});
