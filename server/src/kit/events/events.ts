import { EventEmitter } from 'node:events';
import { setImmediate as nextRound } from 'node:timers/promises';
import pg from 'pg';
import { endConnection, followerConnectionOptions } from '../database/connections.ts';

/**
 * The channels with the type of their messages, which must survive JSON. A publisher declares its channel here.
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-interface
export interface Channels {}

export type Channel = keyof Channels;

/** What changed; 'many' if that is unknown, because a connection broke or too much changed at once. */
export type Message<C extends Channel> = Channels[C] | 'many';

// Between two reads, so changes of other servers arrive within about this time.
const pauseMs = 50;
const retryMs = 1_000;
// After so long in one turn of the event loop, other work goes first.
const maxEmitMs = 5;

// Rows that this statement's snapshot sees and the last one ($1) did not: those of transactions that were running then or have started since. Each row is
// read exactly once, in whatever order transactions commit. `missed`: rows may have been deleted before they were read.
const readChanges = `
  select pg_current_snapshot()::text as snapshot,
    $1::pg_snapshot is null or exists (
      select from change_marks where taken_at < now() - interval '10 minutes' and ended_below > pg_snapshot_xmin($1::pg_snapshot)
    ) as missed,
    coalesce((
      select json_agg(json_build_array(channel, payload, xid::text) order by xid, id) from changes
      where (xid >= pg_snapshot_xmax($1::pg_snapshot) or xid = any (array(select pg_snapshot_xip($1::pg_snapshot))))
        and xid < pg_snapshot_xmax(pg_current_snapshot())
    ), '[]') as messages`;

type Read = { snapshot: string; missed: boolean; messages: [Channel, unknown, string][] };

/**
 * Messages that transactions publish to every server as rows of the table `changes`. Each server gets each message once, after its commit. A server may
 * also `emit` its own changes, which its listeners get at once.
 *
 * When the connection breaks, or a read times out, and when it is back, every channel gets 'many'.
 */
export class Events {
  readonly #emitter = new EventEmitter();
  #beforeEmit = () => {};
  readonly #url: string;
  readonly #onError: (error: Error) => void;
  readonly #limits: Partial<typeof followerConnectionOptions>;
  #client: pg.Client | undefined;
  #snapshot: string | undefined;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #currentAsOf = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  /** Its loss has been published, its return not yet. */
  #isLost = false;
  #closed = false;

  /** `onError` gets the reason why a connection broke; a new one is tried every second. */
  constructor(url: string, onError: (error: Error) => void, limits: Partial<typeof followerConnectionOptions> = {}) {
    this.#url = url;
    this.#onError = onError;
    this.#limits = limits;
  }

  on<C extends Channel>(channel: C, listener: (message: Message<C>) => void): void {
    this.#emitter.on(channel, listener);
  }

  /** Sets a callback that runs before each message, on any channel, reaches its listeners. */
  beforeEmit(callback: () => void): void {
    this.#beforeEmit = callback;
  }

  /** Reaches the listeners of this server only. `publishChange` reaches all servers. */
  emit<C extends Channel>(channel: C, message: Message<C>): void {
    this.#beforeEmit();
    this.#emitter.emit(channel, message);
  }

  /** Reads from now on, even if the database can't be reached yet. */
  async start(): Promise<void> {
    const client = new pg.Client({
      ...followerConnectionOptions,
      ...this.#limits,
      connectionString: this.#url,
      application_name: 'handwise events',
    });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      // The planner overestimates how many rows are new. Set by a statement, because poolers take no options.
      await client.query('set enable_seqscan = off');
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    await this.catchUp();
    this.#readOn(client);
  }

  /** Once it resolves, the listeners have got everything that was committed before the call, unless the database can't be reached. */
  catchUp(): Promise<void> {
    // Callers share a read that has not started yet.
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      return this.#read();
    });
    this.#reading = this.#next;
    return this.#next;
  }

  /** Whether the listeners have got everything that was committed more than so many milliseconds ago. */
  isCurrentWithin(milliseconds: number): boolean {
    return performance.now() - this.#currentAsOf <= milliseconds;
  }

  async stop(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#client) await endConnection(this.#client);
  }

  #readOn(client: pg.Client) {
    if (this.#closed || this.#client !== client) return;
    this.#timer = setTimeout(() => void this.catchUp().then(() => this.#readOn(client)), pauseMs);
  }

  async #read() {
    const client = this.#client;
    if (!client) return;
    const startedAt = performance.now();
    try {
      const { rows } = await client.query<Read>({ name: 'changes', text: readChanges, values: [this.#snapshot] });
      const [read] = rows;
      if (!read || this.#client !== client) return;
      this.#snapshot = read.snapshot;
      this.#isLost = false;
      if (read.missed) this.#emitMany();
      else await this.#emitAll(read.messages);
      if (this.#client === client) this.#currentAsOf = startedAt;
    } catch (error) {
      this.#lost(client, error as Error);
    }
  }

  async #emitAll(messages: Read['messages']) {
    let since = performance.now();
    for (const [index, [channel, payload, transaction]] of messages.entries()) {
      this.emit(channel, payload as Message<typeof channel>);
      // A request waits for one transaction's messages at most, and never sees half of them.
      if (messages[index + 1]?.[2] === transaction || performance.now() - since < maxEmitMs) continue;
      // oxlint-disable-next-line no-await-in-loop -- in the order in which they were read
      await nextRound();
      if (this.#closed) return;
      since = performance.now();
    }
  }

  #emitMany() {
    for (const channel of this.#emitter.eventNames()) this.emit(channel as Channel, 'many');
  }

  #lost(client: pg.Client, error?: Error) {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#snapshot = undefined;
    this.#currentAsOf = -Infinity;
    clearTimeout(this.#timer);
    if (error) this.#onError(error);
    // Once, not at every attempt to reconnect: each message wakes all workers.
    if (!this.#isLost) this.#emitMany();
    this.#isLost = true;
    void endConnection(client);
    this.#timer = setTimeout(() => void this.start(), retryMs);
  }
}
