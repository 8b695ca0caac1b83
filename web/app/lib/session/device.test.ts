import { beforeEach, expect, test, vi } from 'vitest';
import { getDeviceHeaders, saveDevice } from './device.ts';
import { refreshUser } from './refresh-user.ts';
import { readUser, storeUser } from './stored-user.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';

const storage = new Map<string, string>();
beforeEach(() => {
  storage.clear();
  stubLocalStorage(storage);
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  return () => vi.unstubAllGlobals();
});

test('sends the stored device id at sign-in, if it is valid', () => {
  expect(getDeviceHeaders()).toEqual({});
  const device = 'aB3_-'.repeat(8) + 'xyz';
  saveDevice(device);
  expect(getDeviceHeaders()).toEqual({ 'x-device': device });
  for (const other of [device.slice(1), `${device}x`, `${device.slice(1)}\n`, `${device.slice(1)} `, '']) {
    saveDevice(other);
    expect(getDeviceHeaders()).toEqual({});
  }
});

test('refreshes the stored user, and sends nothing when signed out', async () => {
  const requests: unknown[] = [];
  const answers = [Response.json({ data: { username: 'mere', emailConfirmed: true, token: 'other' } }), new Response('', { status: 503 })];
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url);
    return answers.shift();
  });
  await refreshUser();
  expect(requests).toEqual([]);
  storeUser({ token: 'own', username: 'mere', emailConfirmed: false, look: { endsAt: 'soon' } } as never);
  await refreshUser();
  const known = { token: 'own', username: 'mere', emailConfirmed: true, look: { endsAt: 'soon' } };
  expect([requests, readUser()]).toEqual([['/api/auth/session'], known]);
  // A failed request does not sign the user out.
  await refreshUser();
  expect(readUser()).toEqual(known);
});
