import { expect, test } from 'vitest';
import { holdScripts } from './head-script.ts';

test('disables module scripts and preloads, and changes nothing else', () => {
  const html =
    '<link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/><link rel="stylesheet" href="/a.css"/>' +
    '<script>first()</script><script type="module" async="">import "/a.js";</script><script type="application/ld+json">{}</script>';
  expect(holdScripts(html)).toBe(
    '<link rel="after-paint" href="/a.js"/><link rel="after-paint" href="/b.js"/><link rel="stylesheet" href="/a.css"/>' +
      '<script>first()</script><script type="after-paint">import "/a.js";</script><script type="application/ld+json">{}</script>',
  );
});
