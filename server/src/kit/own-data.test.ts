import { once } from 'node:events';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { FileStore } from './files/file-store.ts';
import { createDataArchive, type OwnData } from './own-data.ts';

const storeOf = (read: FileStore['read']): FileStore => ({
  put: () => Promise.resolve(),
  delete: () => Promise.resolve(),
  serve: () => Promise.resolve(),
  read,
});
const noStore = storeOf(() => Promise.resolve(undefined));
const archive = (store: FileStore, part: OwnData) => createDataArchive(store, [part], new Date()) as Readable;

test('closes its files when the client disconnects', async () => {
  const file = new Readable({ read: () => {} });
  let opened = () => {};
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  const store = storeOf(() => {
    opened();
    return Promise.resolve(file);
  });
  const reading = archive(store, { lists: {}, files: [{ name: 'pictures/one.webp', key: 'one.webp' }] });
  reading.resume();
  await isOpen;
  // It is being read now.
  await new Promise((resolve) => setImmediate(resolve));
  reading.destroy();
  await once(file, 'close');
  expect(file.destroyed).toBe(true);
});

test.each([
  ['a list', noStore, { lists: { broken: () => Promise.reject(new Error('the database is away')) }, files: [] }],
  [
    'a picture',
    storeOf(() => Promise.reject(new Error('the store is away'))),
    { lists: {}, files: [{ name: 'pictures/one.webp', key: 'one.webp' }] },
  ],
] satisfies [string, FileStore, OwnData][])(
  'an archive whose reader could miss %s breaks off instead of ending',
  async (_, store, part) => {
    const reading = archive(store, part);
    reading.resume();
    const [error] = (await once(reading, 'error')) as [Error];
    expect(error.message).toMatch(/is away$/);
  },
);

test('reads a long list at the speed of the client', async () => {
  let made = 0;
  async function* endless() {
    for (;;) yield { number: (made += 1), text: crypto.randomUUID().repeat(50) };
  }
  const reading = archive(noStore, { lists: { endless }, files: [] });
  for await (const _ of reading) if (made > 500) break;
  expect(made).toBeLessThan(2000);
});
