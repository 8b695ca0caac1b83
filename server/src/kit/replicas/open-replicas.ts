import type { Logger } from 'pino';
import { requestTimeouts } from '../database/connections.ts';
import { openDatabase } from '../database/database.ts';
import { Replicas } from './replicas.ts';

type Options = {
  env: { databaseReplicaUrls: readonly string[]; databasePool: number; searchLimitMs: number };
  databaseUrl: string;
  logger: Logger;
  onDoubtEnds: () => void;
};

/** The replicas in the environment, or null if there are none. */
export function openReplicas({ env, databaseUrl, logger, onDoubtEnds }: Options): Replicas | null {
  if (env.databaseReplicaUrls.length === 0) return null;
  return new Replicas({
    primaryUrl: databaseUrl,
    replicas: env.databaseReplicaUrls.map((url) => ({
      url,
      database: openDatabase({
        url,
        connections: env.databasePool,
        statementMs: env.searchLimitMs,
        isForSearches: true,
        // Short, because another database can answer.
        timeouts: { ...requestTimeouts, connectMs: 1_000, quietMs: 1_000, silentMs: 2_000 },
        onIdleError: (error) => logger.warn({ err: error }, 'idle connection to a replica lost'),
      }),
    })),
    onAway: (url, error) => logger.warn({ err: error, replica: new URL(url).host }, 'reads no longer go to a replica'),
    onDoubtEnds,
  });
}
