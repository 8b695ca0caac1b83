import { join } from 'node:path';
import { sandboxChain } from '@handwise/proof/beacon';
import { signSandboxRound } from '@handwise/proof/sandbox-key';
import { createEnvContext, type WholeContext } from '@handwise/server/contexts';
import type { Env } from '@handwise/server/env';
import type { Clock } from '@handwise/server/kit/context';
import { openDatabase } from '@handwise/server/kit/database';
import { Events } from '@handwise/server/kit/events';
import { openFileStore } from '@handwise/server/kit/files';
import { Jobs } from '@handwise/server/kit/jobs';
import { pino } from 'pino';

/** A clock that stands where the demo's story is. */
export class StoryClock implements Clock {
  time = new Date();
  now = () => this.time;
}

/** What the demo's people were mailed is long read, and what follows of it has happened. */
class QuietJobs extends Jobs {
  override async send() {}
}

/** Lets a story happen through the product's own services, at its own time, before the server takes calls. */
export async function tellStory(
  env: Env,
  databaseUrl: string,
  story: (context: WholeContext, clock: StoryClock) => Promise<void>,
): Promise<void> {
  const clock = new StoryClock();
  const logger = pino({ level: 'silent' });
  const database = openDatabase({ url: databaseUrl, connections: 2, onIdleError: () => {} });
  const context: WholeContext = {
    db: database.db,
    jobs: new QuietJobs({ pool: database.pool, logger }),
    events: new Events(databaseUrl, () => {}),
    store: await openFileStore(null, join(env.dataDir, 'files'), () => {}),
    clock,
    // Its rounds are no secret, so the story need not wait for them.
    beacon: { chain: sandboxChain, signatureOf: async (round) => signSandboxRound(round) },
    registers: { nzbn: null, abn: null },
    logger,
    ...createEnvContext(env),
  };
  try {
    await story(context, clock);
  } finally {
    await database.close();
  }
}
