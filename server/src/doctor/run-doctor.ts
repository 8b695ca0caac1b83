import { parseArgs } from 'node:util';
import type { Finding } from '@handwise/contract/site/health';
import { setSite } from '@handwise/contract/site/site';
import { applyStoredSettings } from '../domains/site/site.service.ts';
import { type Env, readEnv } from '../env.ts';
import { openDatabase } from '../kit/database/database.ts';
import { checkInstallation, type Installation } from './doctor.ts';

type Options = Omit<Parameters<typeof checkInstallation>[1], 'sendEmail' | 'only'> & Partial<Pick<Installation, 'patience' | 'beacon'>>;

const words = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;
const formatFinding = ({ name, state, says, todo }: Finding) => [`${words[state]} ${name}: ${says}`, ...(todo ? [`     → ${todo}`] : [])];

/**
 * `npm run doctor`: checks the installation, or what is named (`-- disk jobs`), and sends a test email to the support address unless there is
 * `--no-email`, as for a check every few minutes. Resolves to the exit code: 1 if a check fails, else 0.
 */
export async function runDoctor(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  log: (line: string) => unknown,
  { patience = 1, beacon, ...options }: Options = {},
): Promise<0 | 1> {
  const { values, positionals } = parseArgs({ args: [...args], options: { 'no-email': { type: 'boolean' } }, allowPositionals: true });
  let env: Env;
  try {
    env = readEnv(environment);
    if (!env.databaseUrl) throw new Error(`DATABASE_URL is not set, and there is no database in ${env.dataDir} yet.`);
  } catch (error) {
    for (const line of (error instanceof Error ? error.message : String(error)).split('\n'))
      for (const part of formatFinding({
        name: 'environment',
        state: 'fail',
        says: line,
        todo: 'Correct the variable, and run this again.',
      }))
        log(part);
    return 1;
  }
  const { databaseUrl, smtpUrl, stripe, registers } = env;
  setSite(env.settings);
  await readStoredSettings(databaseUrl, patience);
  const findings = await checkInstallation(
    { env, databaseUrl, smtpUrl, stripe, registers, beacon: beacon ?? env.beacon, patience },
    { ...options, sendEmail: !values['no-email'], only: positionals },
  );
  for (const line of findings.flatMap(formatFinding)) log(line);
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length;
  log(`${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} to mend.`);
  return count('fail') > 0 ? 1 : 0;
}

/** What an administrator has set, if the database answers; the check of the database says if it does not. */
async function readStoredSettings(url: string, patience: number): Promise<void> {
  const database = openDatabase({
    url,
    connections: 1,
    statementMs: patience * 5_000,
    timeouts: { connectMs: patience * 5_000 },
    onIdleError: () => {},
  });
  await applyStoredSettings(database.db).catch(() => {});
  database.closeSilent();
  await database.close();
}
