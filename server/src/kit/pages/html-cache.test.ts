import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HtmlCache, preparePage } from './html-cache.ts';
import { Remembered } from '../remembered.ts';

const page = (text: string) => preparePage(Buffer.from(text), { 'content-type': 'text/html' });

test('a page is the same in every encoding, and another page has another tag', async () => {
  const one = await page('<p>one</p>');
  expect(brotliDecompressSync(one.bodies.br).toString()).toBe('<p>one</p>');
  expect(gunzipSync(one.bodies.gzip).toString()).toBe('<p>one</p>');
  expect((await page('<p>two</p>')).etag).not.toBe(one.etag);
});

test('a change drops the pages that name what changed, and those that name nothing', async () => {
  const cache = new HtmlCache(1_000_000);
  const kept = { list: null, one: 'a', both: 'a,b', other: 'b' };
  for (const [key, tags] of Object.entries(kept)) {
    const made = await preparePage(Buffer.from(key), tags ? { 'cache-tag': tags } : {});
    expect(made.headers).toEqual({});
    cache.begin(key)(made);
  }
  const left = () => Object.keys(kept).filter((key) => cache.get(key));
  expect(left()).toEqual(['list', 'one', 'both', 'other']);
  cache.changed(['a']);
  expect(left()).toEqual(['other']);
  cache.changed('many');
  expect(left()).toEqual([]);
});

test('a page that was being rendered while a listing changed is not kept', async () => {
  const cache = new HtmlCache(1_000_000);
  const keep = cache.begin('- /');
  cache.changed(['a']);
  keep(await page('old'));
  expect(cache.get('- /')).toBeUndefined();
});

test('the cache stays within its bytes', async () => {
  const cache = new HtmlCache(20_000);
  for (let index = 0; index < 50; index += 1) cache.begin(`- /services/${index}`)(await page('x'.repeat(3_000)));
  expect(Array.from({ length: 50 }, (_, index) => cache.get(`- /services/${index}`)).filter(Boolean).length).toBeLessThan(7);
});

test('the same question at the same time is worked out once, and a result from before a clearing is not kept', async () => {
  const memory = new Remembered<number>({ entries: 10, seconds: 60 });
  let worked = 0;
  const work = async () => {
    worked += 1;
    return worked;
  };
  expect(await Promise.all([memory.get('a', work), memory.get('a', work)])).toEqual([1, 1]);
  expect(await memory.get('a', work)).toBe(1);
  const slow = memory.get('b', async () => {
    await Promise.resolve();
    return 7;
  });
  memory.clear();
  expect(await slow).toBe(7);
  expect(memory.peek('b')).toBeUndefined();
  expect(await memory.get('a', work)).toBe(2);
});

test('work that fails is not remembered', async () => {
  const memory = new Remembered<number>({ entries: 10, seconds: 60 });
  await expect(memory.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await memory.get('a', () => Promise.resolve(5))).toBe(5);
});
