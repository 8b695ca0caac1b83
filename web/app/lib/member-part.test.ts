import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

const Part = () => null;

/** How often a part is loaded as the page opens, in a browser with this stored user. */
async function countEarlyLoads(user: string | null, isServer = false): Promise<number> {
  vi.resetModules();
  vi.stubEnv('SSR', isServer);
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'user' ? user : null), setItem: () => {}, removeItem: () => {} });
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('addEventListener', () => {});
  const { memberPart } = await import('./late-part.tsx');
  let loads = 0;
  memberPart(async () => {
    loads += 1;
    return Part;
  });
  return loads;
}

test('loads member parts at once for members, and not for visitors or on the server', async () => {
  const member = JSON.stringify({ token: 't1', username: 'mere' });
  expect(await countEarlyLoads(member)).toBe(1);
  expect(await countEarlyLoads(null)).toBe(0);
  expect(await countEarlyLoads(member, true)).toBe(0);
});
