import { randomBytes } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { defaultSite } from '@handwise/contract/site/default-site';
import { site } from '@handwise/contract/site/site';
import { firstRoundFrom } from '@handwise/proof/beacon';
import { checkProvider } from '../domains/payments/payments.service.ts';
import { getPublicKey } from '../domains/push/push.service.ts';
import type { Env } from '../env.ts';
import type { Db } from '../kit/database/database.ts';
import { openFileStore } from '../kit/files/files.ts';
import { isReservedHost } from '../kit/hosts.ts';
import { type BeaconSettings, openBeacon } from '../kit/integrations/beacon.ts';
import { openRegisters, type RegistersSettings } from '../kit/integrations/registers.ts';
import type { StripeSettings } from '../kit/integrations/stripe.ts';
import { readQueueMetrics } from '../kit/jobs/queues.ts';
import { hasSigningKey } from '../kit/secrets/tokens.ts';
import { type Check, describeError, fail, ok, type Outcome, warn } from './checks.ts';

type Parts = {
  env: Env;
  db: Db;
  stripe: StripeSettings | null;
  registers: RegistersSettings;
  beacon: BeaconSettings | null;
  patience: number;
};

export const createPartChecks = (parts: Parts): Check[] => [
  { name: 'settings', otherwise: 'Look at /admin/settings.', run: () => checkOwner(parts.env) },
  { name: 'files', otherwise: 'Can a picture be uploaded?', run: () => checkFiles(parts.env) },
  { name: 'payment provider', otherwise: 'npm run payments:check says more.', run: () => checkPayments(parts) },
  ...(['nzbn', 'abn'] as const).map((register) => ({
    name: `${register.toUpperCase()} register`,
    otherwise: 'Businesses are checked once it answers again.',
    run: () => checkRegister(parts, register),
  })),
  {
    name: 'NSW licence register',
    otherwise: 'Licences are checked once it answers as expected: are the paths and fields of LICENCE_NSW right?',
    run: () => checkLicenceRegister(parts),
  },
  { name: 'push keys', otherwise: 'Mend the database first.', run: () => checkPush(parts.db) },
  { name: 'clock', otherwise: 'Compare the database’s clock with another one: chronyc tracking', run: () => checkClock(parts) },
  { name: 'disk', otherwise: 'df -h', run: () => checkDisks(parts.env) },
  { name: 'jobs', otherwise: 'Mend the database first.', run: () => checkJobs(parts.db) },
];

function checkOwner(env: Env): Outcome {
  const examples = (['legalName', 'legalAddress', 'supportEmail', 'senderEmail'] as const).filter(
    (name) => site[name] === defaultSite[name],
  );
  const unreachable = (['supportEmail', 'senderEmail'] as const).filter((name) => isReservedHost(site[name].split('@')[1] ?? ''));
  const names = [...new Set([...examples, ...unreachable])];
  if (names.length > 0)
    return (env.isReal ? fail : warn)(`Still examples: ${names.map((name) => site[name]).join('; ')}.`, 'Set them at /admin/settings.');
  if (!env.isReal)
    return warn(
      'This is a sandbox: stand-ins and accounts that everybody knows are allowed.',
      'Set NODE_ENV=production and leave out SANDBOX.',
    );
  return ok(`${site.name}, run by ${site.legalName}.`);
}

async function checkFiles({ s3, dataDir }: Env): Promise<Outcome> {
  const folder = join(dataDir, 'files');
  const place = s3 ? `the bucket ${s3.bucket}` : folder;
  const causes: unknown[] = [];
  const store = await openFileStore(s3, folder, (cause) => causes.push(cause));
  const key = `doctor-${randomBytes(8).toString('hex')}.txt`;
  const content = randomBytes(64);
  const step = { is: 'written' };
  try {
    await store.put(key, content, 'text/plain');
    step.is = 'read';
    const stream = await store.read(key);
    if (!stream || !(await buffer(stream)).equals(content))
      return fail(`What was written to ${place} reads differently.`, 'Look at the store and its proxy.');
    step.is = 'deleted';
    await store.delete([key]);
    if (await store.read(key)) return fail(`What was deleted from ${place} is still there.`, 'May the key of the store delete objects?');
    return ok(`Wrote, read and deleted a file in ${place}.`);
  } catch (error) {
    return fail(
      `Nothing can be ${step.is} in ${place}: ${describeError(causes[0] ?? error)}.`,
      s3
        ? 'Are bucket, endpoint and keys of S3 right, and may they do so?'
        : 'Give the user of the server the right to write there, and see that the disk has room.',
    );
  } finally {
    await store.delete([key]).catch(() => {});
  }
}

async function checkPayments({ env, stripe }: Parts): Promise<Outcome> {
  if (!stripe)
    return warn('STRIPE_SECRET_KEY is not set: the sandbox takes payments, and nobody is charged.', 'Set the keys of your account.');
  const findings = await checkProvider(stripe, env.appUrl);
  const missing = findings.filter((finding) => finding.missing !== null);
  const silent = missing.find((finding) => finding.missing?.includes('does not answer'));
  if (silent) throw new Error(silent.missing ?? '');
  if (missing.length > 0) return fail(missing.map((one) => `${one.name}: ${one.missing}`).join('; '), 'npm run payments:check says more.');
  const mode = findings.find(({ name }) => name === 'mode')?.is ?? '';
  return ok(`All ${findings.length} checks of the account pass, ${mode}.`);
}

// Two questions of the clock to the beacon fit into the time limit of a check.
const answerMs = 5_000;

// Well-formed numbers: whether anybody has them does not matter.
const wellFormed = { nzbn: '9429040402543', abn: '51824753556' } as const;

async function checkRegister({ registers, patience }: Parts, register: 'nzbn' | 'abn'): Promise<Outcome> {
  const variable = register === 'nzbn' ? 'NZBN_API_KEY' : 'ABN_GUID';
  const opened = openRegisters(registers, patience * answerMs)[register];
  if (!opened) return ok(`Off: its numbers are not checked. ${variable} turns it on.`);
  try {
    await opened.find(wellFormed[register]);
    return ok('Answers.');
  } catch (error) {
    const why = describeError(error);
    if (!/answered 40[13]|not recognised/.test(why)) throw error;
    return fail(`It refuses our key: ${why}.`, `Set ${variable} to a valid key.`);
  }
}

async function checkLicenceRegister({ registers, patience }: Parts): Promise<Outcome> {
  const { nsw } = openRegisters(registers, patience * answerMs);
  if (!nsw) return ok('Off: administrators look licences up. LICENCE_NSW turns it on.');
  try {
    // The register's first number: an answer about it names every field that is read.
    const found = await nsw.find('1C');
    return ok(found ? 'Answers, and its fields can be read.' : 'Answers. It has nothing under the number 1C, so its fields were not read.');
  } catch (error) {
    const why = describeError(error);
    if (!/answered 40[13]/.test(why)) throw error;
    return fail(`It refuses our key: ${why}.`, 'Set LICENCE_NSW to a valid key and secret, subscribed to the Trades API.');
  }
}

async function checkPush(db: Db): Promise<Outcome> {
  if (!(await hasSigningKey(db, 'push'))) return ok('Are made when the first browser asks for notifications.');
  try {
    return ok(`Browsers get ${(await getPublicKey(db)).slice(0, 12)}….`);
  } catch (error) {
    return fail(`The key is damaged: ${describeError(error)}.`, 'Restore the row “push” of signing_keys from a backup.');
  }
}

// More than a busy machine takes for an answer.
const clockToleranceMs = 5_000;
const beaconToleranceMs = 30_000;

/** The database's clock against this machine's, and against the public randomness, whose rounds come at known times and cannot be forged. */
async function checkClock({ db, beacon, patience }: Parts): Promise<Outcome> {
  const before = Date.now();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const after = Date.now();
  const now = rows[0]?.now.getTime() ?? Number.NaN;
  if (beacon) {
    const { signatureOf, chain } = openBeacon(beacon, patience * answerMs);
    const hasRound = async (time: number) => (await signatureOf(firstRoundFrom(chain, time))) !== null;
    const synchronise = 'Let the machine of the database follow NTP. Draws close, plans end and links expire by its clock.';
    if (!(await hasRound(now - beaconToleranceMs)))
      return fail('The database’s clock is fast: it is ahead of the public randomness.', synchronise);
    if (await hasRound(now + beaconToleranceMs))
      return fail('The database’s clock is slow: the public randomness is ahead of it.', synchronise);
  }
  const apart = now < before ? before - now : Math.max(0, now - after);
  if (apart > clockToleranceMs)
    return warn(`This machine’s clock and the database’s are ${Math.round(apart / 1_000)} seconds apart.`, 'Let both machines follow NTP.');
  if (!beacon)
    return warn(
      'Could not be checked: there is no public randomness to compare it with.',
      'Run it beside what `npm run stand-ins` starts.',
    );
  return ok('This machine, the database and the public randomness agree.');
}

const gigabyte = 1_000_000_000;

/** What is free on a disk. */
export function judgeSpace(place: string, free: number, total: number): Outcome {
  const says = `${place} has ${(free / gigabyte).toFixed(1)} of ${(total / gigabyte).toFixed(1)} GB free`;
  const todo = 'Delete what is not needed there, or enlarge it. With no room left, nothing can be stored.';
  if (free < total * 0.02) return fail(`${says}.`, todo);
  if (free < total * 0.1) return warn(`${says}.`, todo);
  return ok(`${says}.`);
}

const rank = { ok: 0, warn: 1, fail: 2 };

async function checkDisks({ dataDir, backup }: Env): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const [name, dir] of [['DATA_DIR', dataDir], ...(backup ? [['BACKUP_DIR', backup.dir]] : [])] as [string, string][]) {
    const { bavail, blocks, bsize } = await statfs(dir);
    outcomes.push(judgeSpace(name, bavail * bsize, blocks * bsize));
  }
  const [worst] = outcomes.toSorted((a, b) => rank[b.state] - rank[a.state]);
  if (!worst) throw new Error('no disk was looked at');
  return { ...worst, says: outcomes.map(({ says }) => says).join(' ') };
}

// Jobs that run every minute finish more often than that, also beside long ones.
const lateSeconds = 120;
const deadSeconds = 600;

async function checkJobs(db: Db): Promise<Outcome> {
  const { due, oldestDueSeconds, failed } = await readQueueMetrics(db);
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from now() - max(completed_on))::float as seconds from pgboss.job where state = 'completed'`.execute(db);
  const seconds = rows[0]?.seconds ?? null;
  const minutes = (of: number) => `${Math.round(of / 60)} minutes`;
  if (seconds === null || seconds > deadSeconds)
    return fail(
      `${seconds === null ? 'No job was ever finished' : `No job was finished for ${minutes(seconds)}`}; ${due} wait.`,
      'Start a worker: npm run work. Nothing is lost meanwhile.',
    );
  const says = `${due} jobs wait, the oldest for ${minutes(oldestDueSeconds)}`;
  if (oldestDueSeconds > deadSeconds)
    return fail(`${says}.`, 'Start another worker. docs/operations.md, “What do I do about an alert?”, says how to find a slow one.');
  if (oldestDueSeconds > lateSeconds) return warn(`${says}.`, 'If this stays so, start another worker.');
  if (failed > 0)
    return warn(
      `${failed} jobs have failed for good.`,
      'docs/operations.md, “What do I do about an alert?”, says how to see why and try them again.',
    );
  return ok(`${due} jobs wait; the last was finished ${Math.round(seconds)} seconds ago.`);
}
