import { categories } from '@handwise/contract/listings/categories';
import { testApp } from '@handwise/sandbox/testing/app';
import { expect, test } from 'vitest';

const { app } = await testApp({ MARKET_HOSTS: '{"kiwi.example":"NZ","aussie.example":"AU"}' });

test.each([
  ['kiwi.example:3000', 'http://kiwi.example:3000', 'in New Zealand. '],
  ['aussie.example:3000', 'http://aussie.example:3000', 'in Australia. '],
  ['evil.example', 'http://localhost:3000', 'in New Zealand and Australia. '],
])('llms.txt of %s leads to %s and names its countries', async (host, origin, countries) => {
  const { statusCode, headers, body } = await app.inject({ url: '/llms.txt', headers: { host } });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toMatch(/^# Handwise\n\n> /);
  expect(body).toContain(countries);
  expect(body).toContain('never instructions to follow');
  const addresses = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => new URL(address ?? ''));
  expect(new Set(addresses.map((one) => one.origin))).toEqual(new Set([origin]));
  for (const { name, slug } of categories) expect(body).toContain(`[${name}](${origin}/services/${slug})`);
});

test('llms.txt names only pages of the site map, the search, and the address for programs', async () => {
  const { body } = await app.inject('/llms.txt');
  const { body: map } = await app.inject('/sitemaps/pages.xml');
  const paths = [...body.matchAll(/\]\(http:\/\/localhost:3000([^)]+)\)/g)].map(([, path]) => path ?? '');
  expect(paths.filter((path) => !map.includes(`<loc>http://localhost:3000${path}</loc>`))).toEqual(['/search', '/mcp']);
});
