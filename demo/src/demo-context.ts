import { join } from 'node:path';
import { pino } from 'pino';
import { sandboxChain } from '@handwise/proof/beacon';
import { signSandboxRound } from '@handwise/proof/sandbox-key';
import { createEnvContext, type AppContext } from '@handwise/server/composition/app-context';
import type { Env } from '@handwise/server/env';
import type { Clock } from '@handwise/server/kit/context';
import { openDatabase } from '@handwise/server/kit/database';
import { Events } from '@handwise/server/kit/events';
import { openFileStore } from '@handwise/server/kit/files';
import { Jobs } from '@handwise/server/kit/jobs';

/** A clock that is set to the times at which the demo's events happened. */
export class DemoClock implements Clock {
  time = new Date();
  now = () => this.time;
}

/** Sends no emails and runs no jobs for past events. */
class DiscardingJobs extends Jobs {
  readonly discarded: object[] = [];
  override async send() {}
  override async sendAll(_tx: unknown, _job: unknown, all: readonly object[]) {
    this.discarded.push(...all);
  }
}

/** Runs `work` with the product's services, a settable clock and what `sendAll` was given instead of sending it, before the server starts. */
export async function withDemoContext(
  env: Env,
  databaseUrl: string,
  work: (context: AppContext, clock: DemoClock, discarded: readonly object[]) => Promise<void>,
): Promise<void> {
  const clock = new DemoClock();
  const logger = pino({ level: 'silent' });
  const database = openDatabase({ url: databaseUrl, connections: 2, onIdleError: () => {} });
  const jobs = new DiscardingJobs({ pool: database.pool, logger });
  const context: AppContext = {
    db: database.db,
    jobs,
    events: new Events(databaseUrl, () => {}),
    store: await openFileStore(null, join(env.dataDir, 'files'), () => {}),
    clock,
    // Rounds of the sandbox's chain are predictable, so nothing waits for them.
    beacon: { chain: sandboxChain, signatureOf: async (round) => signSandboxRound(round) },
    registers: { nzbn: null, abn: null, nsw: null },
    identityProviders: new Map(),
    pushSandboxOrigin: null,
    logger,
    ...createEnvContext(env),
  };
  try {
    await work(context, clock, jobs.discarded);
  } finally {
    await database.close();
  }
}
