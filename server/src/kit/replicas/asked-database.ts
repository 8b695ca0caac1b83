import pg from 'pg';
import { endConnection } from '../database/connection-end.ts';
import { followingConnection } from '../database/connection-limits.ts';

// Whoever says nothing for so long is no database to read from.
const answerMs = 2_000;

/** One connection for short questions about the database itself, so that none waits for a connection that people use. Made anew after a failure. */
export class AskedDatabase {
  readonly #url: string;
  #client: Promise<pg.Client> | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects where the database does not answer within seconds. */
  async ask<Row extends pg.QueryResultRow>(text: string): Promise<Row> {
    const connecting = (this.#client ??= this.#connect());
    try {
      const { rows } = await (await connecting).query<Row>(text);
      const [row] = rows;
      if (!row) throw new Error(`nothing was answered to ${text}`);
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
      ...followingConnection,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      connectionString: this.#url,
      application_name: 'handwise positions',
    });
    // The question under way, or the next one, says it.
    client.on('error', () => {});
    await client.connect();
    return client;
  }
}
