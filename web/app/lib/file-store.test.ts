import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as FileStore from './file-store.ts';

type Range = { lower: string; upper: string };

/** A database of the browser. Like Safari in a private tab, it stores no files. */
function stubDatabase(stored: Map<string, unknown>) {
  const later = <T>(result: T) => {
    const request = Object.assign(new EventTarget(), { result, error: null });
    queueMicrotask(() => request.dispatchEvent(new Event('success')));
    return request;
  };
  const hasFile = (value: unknown): boolean =>
    value instanceof Blob || (typeof value === 'object' && value !== null && Object.values(value).some(hasFile));
  const store = {
    put: (value: unknown, key: string) => {
      if (hasFile(value)) throw new DOMException('BlobURLs are not yet supported', 'DataCloneError');
      stored.set(key, structuredClone(value));
      return later(key);
    },
    get: (key: string) => later(stored.get(key)),
    getAllKeys: ({ lower, upper }: Range) => later([...stored.keys()].filter((key) => key >= lower && key <= upper).toSorted()),
    delete: (range: string | Range) => {
      for (const key of stored.keys())
        if (typeof range === 'string' ? key === range : key >= range.lower && key <= range.upper) stored.delete(key);
      return later(undefined);
    },
  };
  const transaction = () => {
    const target = Object.assign(new EventTarget(), { objectStore: () => store, error: null });
    setTimeout(() => target.dispatchEvent(new Event('complete')));
    return target;
  };
  vi.stubGlobal('indexedDB', { open: () => later({ transaction }) });
  vi.stubGlobal('IDBKeyRange', { bound: (lower: string, upper: string): Range => ({ lower, upper }) });
}

const stored = new Map<string, unknown>();
const photo = (name = 'tap.png') => new File([new Uint8Array([1, 2, 3])], name, { type: 'image/png', lastModified: 7 });
let store: typeof FileStore;

beforeEach(async () => {
  stored.clear();
  stubDatabase(stored);
  vi.resetModules();
  store = await import('./file-store.ts');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test('keeps a file where the browser stores bytes only', async () => {
  await store.saveFile('one', photo());
  const found = await store.findFile('one');
  expect(found).toMatchObject({ name: 'tap.png', type: 'image/png', lastModified: 7 });
  expect([...new Uint8Array((await found?.arrayBuffer()) ?? new ArrayBuffer(0))]).toEqual([1, 2, 3]);
});

test('reads a file that an earlier version stored, and nothing else', async () => {
  stored.set('old', photo('old.png'));
  stored.set('broken', { bytes: 'none' });
  expect((await store.findFile('old'))?.name).toBe('old.png');
  expect(await store.findFile('broken')).toBeNull();
  expect(await store.findFile('none')).toBeNull();
});

test('finds a file that is still being stored', async () => {
  void store.saveFile('one', photo());
  expect((await store.findFile('one'))?.name).toBe('tap.png');
});

test('does not store a file that is deleted while it is read', async () => {
  void store.saveFile('one', photo());
  void store.saveFile('quote-1', photo());
  await Promise.all([store.deleteFile('one'), store.deleteFilesByPrefix('quote-')]);
  expect(stored.size).toBe(0);
});

test('lists the files of a prefix in the order of their keys, with those that are being stored', async () => {
  await store.saveFile('message one 2', photo('second.png'));
  await store.saveFile('message two 1', photo('other.png'));
  void store.saveFile('message one 1', photo('first.png'));
  stored.set('message one 3', { bytes: 'none' });
  expect((await store.listFiles('message one ')).map(({ key, file }) => [key, file.name])).toEqual([
    ['message one 1', 'first.png'],
    ['message one 2', 'second.png'],
  ]);
});

test('a list waits for the files of what is still being checked', async () => {
  let end = () => {};
  const checked = new Promise<void>((resolve) => (end = resolve));
  store.delayLists(checked.then(() => void store.saveFile('message one 1', photo('late.png'))));
  const list = store.listFiles('message one ');
  end();
  expect((await list).map(({ file }) => file.name)).toEqual(['late.png']);
  store.delayLists(Promise.reject(new Error('unreadable')));
  expect(await store.listFiles('message one ')).toHaveLength(1);
});

test('a storage that cannot be read is not an empty one', async () => {
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('no storage here', 'SecurityError');
    },
  });
  await expect(store.listFiles('message one ')).rejects.toThrow('no storage here');
  expect(await store.findFile('message one 1')).toBeNull();
});
