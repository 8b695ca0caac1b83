import pg from 'pg';
import { endConnection, followerConnectionOptions } from '../database/connections.ts';

// A database that doesn't answer for so long counts as unavailable.
const timeoutMs = 2_000;

/** One connection for status queries, so that they don't wait for the pool. Reconnects after a failure. */
export class StatusConnection {
  readonly #url: string;
  #client: Promise<pg.Client> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects if the database doesn't answer within two seconds. */
  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row> {
    const connecting = (this.#client ??= this.#connect());
    try {
      const { rows } = await (await connecting).query<Row>(text);
      const [row] = rows;
      if (!row) throw new Error(`no row for ${text}`);
      return row;
    } catch (error) {
      if (this.#client === connecting) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const connecting = this.#client;
    this.#client = undefined;
    const client = await connecting?.catch(() => undefined);
    if (client) await endConnection(client);
  }

  async #connect() {
    const client = new pg.Client({
      ...followerConnectionOptions,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      connectionString: this.#url,
      application_name: 'handwise positions',
    });
    // The running query, or the next one, rejects with it.
    client.on('error', () => {});
    await client.connect();
    return client;
  }
}
