import type { Socket } from 'node:net';
import type pg from 'pg';

/** What `pg` has and does not declare. */
export type OpenClient = pg.ClientBase & {
  connection: { stream: Socket };
  /** The backend's number. */
  processID: number | null;
  /** False while an answer is owed. */
  readyForQuery: boolean | null;
};

const goodbyeMs = 500;

/** Ends a connection: well where the other side says goodbye too, and otherwise all the same. Never fails. */
export async function endConnection(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as OpenClient).connection;
  const cut = setTimeout(() => stream.destroy(), goodbyeMs);
  await client.end().catch(() => {});
  clearTimeout(cut);
}
