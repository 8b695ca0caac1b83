import { expect, test, vi } from 'vitest';
import { testApp } from './app.ts';
import { times } from './times.ts';

const { db } = await testApp();

test('waits for a connection as long as a busy machine may need', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let taken = 0;
  const holders = times(10, () => db.connection().execute(() => ((taken += 1), released)));
  await expect.poll(() => taken).toBe(10);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const eleventh = db
    .connection()
    .execute(() => Promise.resolve('came'))
    .catch(String);
  await vi.advanceTimersByTimeAsync(50_000);
  release();
  expect(await eleventh).toBe('came');
  await holders;
});
