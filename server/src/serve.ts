import { join } from 'node:path';
import { pino } from 'pino';
import { type Site, buildApp } from './app.ts';
import type { Env } from './env.ts';
import { deleteOldAttempts } from './kit/attempts.ts';
import { openDatabase } from './kit/database.ts';
import { Events } from './kit/events.ts';
import { prepareDatabase } from './prepare-database.ts';
import { deleteExpiredSessions } from './domains/accounts/accounts.queries.ts';

export type Serving = { close(): Promise<void> };

const hour = 60 * 60 * 1000;

/**
 * Listens at once and becomes ready when the database is migrated and `prepare` is done: until then every call answers 503.
 * `close` lets the requests under way finish.
 */
export async function serve(options: {
  env: Env;
  databaseUrl: string;
  site: Site | null;
  /** What must be done before the first request beyond the tables, such as filling in demo data. */
  prepare?: (databaseUrl: string, filesDir: string) => Promise<void>;
}): Promise<Serving> {
  const { env, databaseUrl } = options;
  const logger = pino({ level: env.logLevel, redact: ['req.headers.authorization'] });
  const database = openDatabase({
    url: databaseUrl,
    connections: env.databasePool,
    onIdleError: (error) => logger.warn({ err: error }, 'idle connection lost'),
  });
  const events = new Events(databaseUrl, (error) => logger.warn({ err: error }, 'not listening to the database'));
  const filesDir = join(env.dataDir, 'files');
  let ready = false;
  const app = await buildApp({ env, db: database.db, events, logger, filesDir, site: options.site, isReady: () => ready });
  await app.listen({ port: env.port, host: env.host });

  await prepareDatabase(databaseUrl);
  await options.prepare?.(databaseUrl, filesDir);
  await events.start();
  ready = true;

  const cleaning = setInterval(() => {
    Promise.all([deleteOldAttempts(database.db), deleteExpiredSessions(database.db)]).catch((error: unknown) =>
      logger.warn({ err: error }, 'cleaning failed'),
    );
  }, hour);

  return {
    async close() {
      clearInterval(cleaning);
      await app.close();
      await events.stop();
      await database.close();
    },
  };
}

/** Ends the process well on SIGTERM and SIGINT: `close` first, exit 0, and exit 1 where that takes over 8 s. */
export function stopOnSignal(close: () => Promise<void>) {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), 8_000).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return stop;
}
