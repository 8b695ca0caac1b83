import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { readEnv } from '@handwise/server/env';
import { StartupError } from '@handwise/server/startup-error';
import { freePort } from './postgres.ts';
import { startStandIns } from './stand-ins.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'handwise-stand-ins-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const aside = join(dataDir, 'aside');
const environment = {
  NODE_ENV: 'test',
  DATA_DIR: dataDir,
  DATABASE_URL: inject('postgresUrl'),
  MAILBOX_PORT: String(await freePort()),
  STAND_INS: JSON.stringify({ stripe: `http://127.0.0.1:${await freePort()}` }),
};

/** Starts the stand-ins once, and says why they did not start. */
async function faultOfStart(): Promise<string | null> {
  const closers: (() => Promise<void>)[] = [];
  try {
    await startStandIns(readEnv(environment), { closers, webhookUrl: 'http://127.0.0.1:9', log: () => {} });
    return null;
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

const damages = {
  removed: () => {},
  emptied: (file: string) => (cpSync(aside, file), truncateSync(file)),
  'cut off': (file: string) => (cpSync(aside, file), truncateSync(file, 5_000)),
  unreadable: (file: string) => mkdirSync(file),
};

test.each([
  ['mailbox/mails.sqlite', 'removed', /^started$/],
  ['mailbox/mails.sqlite', 'emptied', /^started$/],
  ['mailbox/mails.sqlite', 'cut off', /mails\.sqlite cannot be read \(.*malformed.*\)\. Put it back as it was, or move it away/],
  ['mailbox/mails.sqlite', 'unreadable', /mails\.sqlite cannot be read \(.*unable to open.*\)\. Put it back as it was, or move it away/],
  ['stripe.sqlite', 'removed', /^started$/],
  ['stripe.sqlite', 'emptied', /^started$/],
  ['stripe.sqlite', 'cut off', /stripe\.sqlite cannot be read \(.*malformed.*\)\. Put it back as it was, or move it away/],
  ['stripe.sqlite', 'unreadable', /stripe\.sqlite cannot be read \(.*unable to open.*\)\. Put it back as it was, or move it away/],
] as const)('stand-ins whose %s was %s start without it or name it, and start with it when it is back', async (name, damage, message) => {
  const file = join(dataDir, name);
  expect(await faultOfStart()).toBeNull();
  renameSync(file, aside);
  for (const part of ['-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
  damages[damage](file);
  expect((await faultOfStart()) ?? 'started').toMatch(message);
  rmSync(file, { recursive: true, force: true });
  renameSync(aside, file);
  expect(existsSync(file)).toBe(true);
  expect(await faultOfStart()).toBeNull();
});
