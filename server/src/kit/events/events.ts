import { EventEmitter } from 'node:events';
import { setImmediate as nextRound } from 'node:timers/promises';
import pg from 'pg';
import { endConnection } from '../database/connection-end.ts';
import { followingConnection } from '../database/connection-limits.ts';

/**
 * The named channels and the type of what is told on each, which must survive JSON. Whoever tells on one declares it.
 * @public
 */
// oxlint-disable-next-line typescript/no-empty-interface
export interface Channels {}

export type Channel = keyof Channels;

/** What was told; or that nobody can say what was, because a connection broke or because it was too much to name. */
export type Told<C extends Channel> = Channels[C] | 'many';

// From the end of one read to the next one: what another server does is known here within about this.
const pauseMs = 50;
const retryMs = 1_000;
// After so long in one round of the loop, others are heard before the next transaction is told of.
const longestTellingMs = 5;

// What this statement sees and the last one ($1, its snapshot) did not: whatever was written by a transaction that was under way
// then or has begun since. So nothing is skipped and nothing told twice, in whatever order transactions commit, and rows that
// were read are not walked over again. `missed`: rows may have been deleted that were not read yet.
const readChanges = `
  select pg_current_snapshot()::text as snapshot,
    $1::pg_snapshot is null or exists (
      select from change_marks where taken_at < now() - interval '10 minutes' and ended_below > pg_snapshot_xmin($1::pg_snapshot)
    ) as missed,
    coalesce((
      select json_agg(json_build_array(channel, payload, xid::text) order by xid, id) from changes
      where (xid >= pg_snapshot_xmax($1::pg_snapshot) or xid = any (array(select pg_snapshot_xip($1::pg_snapshot))))
        and xid < pg_snapshot_xmax(pg_current_snapshot())
    ), '[]') as told`;

type Read = { snapshot: string; missed: boolean; told: [Channel, unknown, string][] };

/**
 * What transactions tell every server, by rows of the table `changes` (migration 006): each is heard by each server once, after
 * its commit, and none is missed. Whoever did something itself may `emit` it too, to be heard on this server at once.
 *
 * While the connection is broken, which a read that is not answered in time tells as well, nothing can be heard, so every channel hears 'many' then and when it is back.
 */
export class Events {
  readonly #emitter = new EventEmitter();
  #onTold = () => {};
  readonly #url: string;
  readonly #onError: (error: Error) => void;
  readonly #limits: Partial<typeof followingConnection>;
  #client: pg.Client | undefined;
  #snapshot: string | undefined;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #heardAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `onError` hears why a connection broke; a new one is tried every second. */
  constructor(url: string, onError: (error: Error) => void, limits: Partial<typeof followingConnection> = {}) {
    this.#url = url;
    this.#onError = onError;
    this.#limits = limits;
  }

  on<C extends Channel>(channel: C, listener: (told: Told<C>) => void): void {
    this.#emitter.on(channel, listener);
  }

  /** Hears that something is about to be told, on whatever channel, before those who listen to it hear what. */
  beforeTelling(onTold: () => void): void {
    this.#onTold = onTold;
  }

  /** Tells the listeners of this server alone. What others must hear is written to `changes`. */
  emit<C extends Channel>(channel: C, told: Told<C>): void {
    this.#onTold();
    this.#emitter.emit(channel, told);
  }

  /** Listens from now on, also where the database cannot be reached yet. */
  async start(): Promise<void> {
    const client = new pg.Client({
      ...followingConnection,
      ...this.#limits,
      connectionString: this.#url,
      application_name: 'handwise events',
    });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client));
    try {
      await client.connect();
      // The planner does not know how few rows a snapshot leaves to read. Set here, because poolers take no options.
      await client.query('set enable_seqscan = off');
    } catch (error) {
      this.#lost(client, error as Error);
      return;
    }
    await this.catchUp();
    this.#readOn(client);
  }

  /** Once it resolves, the listeners have heard of everything that was committed before the call. */
  catchUp(): Promise<void> {
    // Whoever asks before the next reading has begun shares it.
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      return this.#read();
    });
    this.#reading = this.#next;
    return this.#next;
  }

  /** Whether the listeners have heard of everything that was committed so many milliseconds ago. */
  hasHeardWithin(milliseconds: number): boolean {
    return performance.now() - this.#heardAt <= milliseconds;
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
    if (!client) return this.#tellMany();
    const begun = performance.now();
    try {
      const { rows } = await client.query<Read>({ name: 'changes', text: readChanges, values: [this.#snapshot] });
      const [read] = rows;
      if (!read || this.#client !== client) return;
      this.#snapshot = read.snapshot;
      if (read.missed) this.#tellMany();
      else await this.#tellAll(read.told);
      if (this.#client === client) this.#heardAt = begun;
    } catch (error) {
      this.#lost(client, error as Error);
    }
  }

  async #tellAll(all: Read['told']) {
    let since = performance.now();
    for (const [index, [channel, payload, transaction]] of all.entries()) {
      this.emit(channel, payload as Told<typeof channel>);
      // Where a hundred thousand plans end in a minute, who asks for something waits for one of these and not for all. Nobody finds half of one done.
      if (all[index + 1]?.[2] === transaction || performance.now() - since < longestTellingMs) continue;
      // oxlint-disable-next-line no-await-in-loop -- in the order in which they were read
      await nextRound();
      if (this.#closed) return;
      since = performance.now();
    }
  }

  #tellMany() {
    for (const channel of this.#emitter.eventNames()) this.emit(channel as Channel, 'many');
  }

  #lost(client: pg.Client, error?: Error) {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#snapshot = undefined;
    this.#heardAt = -Infinity;
    clearTimeout(this.#timer);
    if (error) this.#onError(error);
    this.#tellMany();
    void endConnection(client);
    this.#timer = setTimeout(() => void this.start(), retryMs);
  }
}
