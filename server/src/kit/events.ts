import { EventEmitter } from 'node:events';
import pg from 'pg';

export type ListingsChanged = readonly string[] | 'many';

/**
 * What the database tells its servers, over LISTEN/NOTIFY. After a broken connection something may have been missed, so
 * `listings` is then emitted as 'many'.
 */
export class Events extends EventEmitter<{ listings: [ListingsChanged] }> {
  #client: pg.Client | undefined;
  #closed = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #url: string;
  readonly #onError: (error: Error) => void;

  constructor(url: string, onError: (error: Error) => void) {
    super();
    this.#url = url;
    this.#onError = onError;
  }

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url, application_name: 'handwise events' });
    this.#client = client;
    client.on('notification', ({ payload }) => this.emit('listings', JSON.parse(payload ?? '"many"') as ListingsChanged));
    client.on('error', (error) => this.#restart(client, error));
    client.on('end', () => this.#restart(client));
    try {
      await client.connect();
      await client.query('listen listings');
      this.emit('listings', 'many');
    } catch (error) {
      this.#restart(client, error as Error);
    }
  }

  #restart(client: pg.Client, error?: Error) {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    if (error) this.#onError(error);
    // Until it listens again it cannot know what changes, so nothing remembered may be kept.
    this.emit('listings', 'many');
    client.end().catch(() => {});
    this.#retry = setTimeout(() => void this.start(), 1_000);
  }

  get listening() {
    return this.#client !== undefined;
  }

  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => {});
  }
}
