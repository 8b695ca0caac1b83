import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { headScript, delayScripts } from './head-script.ts';
import { hashOwnScripts } from './own-scripts.ts';

const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

test('hashes our own scripts and those with the nonce, and no others', () => {
  const { html, hashes } = hashOwnScripts(
    `<script>${headScript}</script><script nonce="n1">framework()</script><script async="" nonce="n1">framework()</script>` +
      '<script>injected()</script><script nonce="guess">injected(2)</script><script type="application/ld+json">{}</script>' +
      '<script nonce="n1" src="/a.js"></script><link rel="modulepreload" nonce="n1" href="/a.js"/><script nonce="n1" type="module">let x\n</script>',
    'n1',
  );
  expect(hashes).toEqual([hashOf(headScript), hashOf('framework()'), hashOf('let x\n')]);
  expect(html).not.toContain('n1');
  expect(html).toContain('<script src="/a.js"></script><link rel="modulepreload" href="/a.js"/>');
});

test('disables module scripts and preloads, and changes nothing else', () => {
  const html =
    '<link rel="modulepreload" href="/a.js"/><link rel="modulepreload" href="/b.js"/><link rel="stylesheet" href="/a.css"/>' +
    '<script>first()</script><script type="module" async="">import "/a.js";</script><script type="application/ld+json">{}</script>';
  expect(delayScripts(html)).toBe(
    '<link rel="after-paint" href="/a.js"/><link rel="after-paint" href="/b.js"/><link rel="stylesheet" href="/a.css"/>' +
      '<script>first()</script><script type="after-paint">import "/a.js";</script><script type="application/ld+json">{}</script>',
  );
});
