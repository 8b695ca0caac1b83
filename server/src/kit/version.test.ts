import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { version } from './version.ts';

const { app } = await testApp();

test('the health call gives the number of the newest version in the changelog', async () => {
  const changelog = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const [, newest] = /^## (\d+\.\d+\.\d+)/m.exec(changelog) ?? [];
  expect(version).toBe(newest);
  expect((await app.inject('/api/health')).json()).toMatchObject({ version: newest });
});
