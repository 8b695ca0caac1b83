import { type Env, readEnv } from '@handwise/server/env';
import { loadBuiltSite } from '@handwise/server/http/built-site';
import { serve } from '@handwise/server/serve';
import { reportStartupError } from '@handwise/server/startup-error';
import { stopOnSignal } from '@handwise/server/startup/run-until-stopped';
import { checkEnvironment } from '@handwise/server/startup/startup-checks';
import { takeDataDir } from './data-dir.ts';
import { fillDemoOnce } from './demo-fill.ts';
import { demoSignIns, startStandIns } from './stand-ins.ts';

// `npm start`: the whole product on one machine. Services that the environment does not name are started here and end with this process.
const development = process.argv.includes('--development');
const log = (line: string) => console.log(line);
const startedAt = Date.now();

const stopping = new AbortController();
const closers: (() => Promise<void>)[] = [];
const stop = stopOnSignal(async () => {
  stopping.abort();
  for (const close of closers.toReversed()) await close();
});
endWithParent(stop);

try {
  const env = readEnv(process.env);
  closers.push(await takeDataDir(env.dataDir));
  const webhookUrl = `http://127.0.0.1:${env.port}/api/stripe/webhook`;
  const { mailboxUrl, ...services } = await startStandIns(env, { closers, webhookUrl, log });
  await checkEnvironment(services);
  // Loaded on demand, because a start on existing data does not need it.
  const site = development ? await (await import('./development-site.ts')).developmentSite() : loadBuiltSite();
  if (site.close) closers.push(site.close);
  const { stripe } = services;
  const serving = await serve({
    ...services,
    site,
    work: true,
    warm: true,
    drainMs: env.isReal ? 2_000 : 0,
    stopping: stopping.signal,
    ...(env.demoData && { prepare: (databaseUrl, filesDir) => fillDemoOnce({ env, databaseUrl, filesDir, stripe, log }) }),
  });
  closers.push(() => serving.close());
  log(welcome(env, mailboxUrl));
} catch (error) {
  // A stop during the start makes pending steps fail, which is no error.
  if (!stopping.signal.aborted) {
    reportStartupError(error);
    process.exitCode = 1;
    for (const close of closers.toReversed()) await close();
    process.exit(1);
  }
}

function welcome(env: Env, mailboxUrl: string | undefined) {
  return [
    '',
    `Ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`,
    `  Site       http://localhost:${env.port}`,
    `  API page   http://localhost:${env.port}/api/docs`,
    ...(mailboxUrl ? [`  Mailbox    ${mailboxUrl}`] : []),
    ...(env.demoData ? demoSignIns().map((account, index) => `  ${index === 0 ? 'Sign in as' : '          '} ${account}`) : []),
    '  Stop with Ctrl+C.',
    '',
  ].join('\n');
}

/** Ends with the parent process, even if that was killed and could not forward the signal. */
function endWithParent(end: () => void) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
}
