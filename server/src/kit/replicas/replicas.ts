import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Db } from '../database/database.ts';
import { AskedDatabase } from './asked-database.ts';
import { keyOf } from '../secrets/signatures.ts';
import { type Position, PositionSeal, asPosition, beyondAll } from './positions.ts';
import { readFrom } from './read-driver.ts';
import { Replica, isReplicasFault } from './replica.ts';

// From one look at the primary to the next: no answer of a replica is older than twice this.
const lookMs = 1_000;

/** A request whose reads may come from a replica, and how far its sender has seen; null where they have not said. */
type ReadingRequest = { seen: Position | null };

/**
 * Answers reads from replicas that have replayed all that whoever asks must see: what they themselves wrote or saw (the position that they bring), what
 * this server has been told of (`changed`), and whatever was there a second ago. Everything else, and every read outside such a request, goes to the primary.
 */
export class Replicas {
  readonly #primary: AskedDatabase;
  readonly #replicas: readonly Replica[];
  readonly #requests = new AsyncLocalStorage<ReadingRequest>();
  readonly #catchUp: () => Promise<void>;
  readonly #onDoubtEnds: () => void;
  readonly #lookMs: number;
  /** What every reader must see; null while that is being asked. */
  #floor: Position | null = null;
  #highest: Position = 0n;
  /** Everything that was told up to there has been heard. The floor may be higher: it says what was written, not what was heard. */
  #heard: Position = 0n;
  #changes = 0;
  #raising: Promise<void> | undefined;
  #isInDoubt = false;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  #seal: PositionSeal | undefined;

  /** `catchUp` hears what was told until now. `onDoubtEnds`: the primary can be asked again, and answers that were given meanwhile may be older than what is told by now. */
  constructor(options: {
    primaryUrl: string;
    replicas: readonly { url: string; database: Database }[];
    onAway: (url: string, error: unknown) => void;
    catchUp: () => Promise<void>;
    onDoubtEnds: () => void;
    lookMs?: number;
  }) {
    this.#primary = new AskedDatabase(options.primaryUrl);
    this.#replicas = options.replicas.map(
      ({ url, database }) => new Replica({ url, database, onAway: (error) => options.onAway(url, error) }),
    );
    this.#catchUp = options.catchUp;
    this.#onDoubtEnds = options.onDoubtEnds;
    this.#lookMs = options.lookMs ?? lookMs;
  }

  /** From a primary that is there. Until then it answers everything. */
  async start(db: Db): Promise<void> {
    this.#seal = new PositionSeal(await keyOf(db, 'positions'));
    await this.look();
    const again = () => void this.look().then(() => (this.#timer &&= setTimeout(again, this.#lookMs)));
    this.#timer = setTimeout(again, this.#lookMs);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#raising;
    await Promise.all([this.#primary.close(), ...this.#replicas.map((replica) => replica.close())]);
  }

  /** What reads of the primary's database become: those of `inRequest` may be answered by a replica. */
  readingFrom(primary: Db): Db {
    return readFrom(primary, (query) => this.#answer(primary, query));
  }

  /** What `work` begins reads for a request that may be answered from a replica. */
  inRequest<Result>(seen: Position | null, work: () => Result): Result {
    return this.#requests.run({ seen }, work);
  }

  /** Once it resolves, this server has heard of all that was told up to a position: what it remembers is no older. */
  async catchUpTo(seen: Position): Promise<void> {
    if (seen <= this.#heard) return;
    const before = await this.#askPrimary().catch(() => this.#heard);
    await this.#catchUp();
    if (before > this.#heard) this.#heard = before;
  }

  /** Something was told: from here on nobody is shown what was before it. */
  changed(): void {
    this.#changes += 1;
    this.#floor = null;
    void this.#raise();
  }

  /** How far the primary has written, for whoever has just written: it sees all of that from now on, wherever it reads. */
  async sealedPosition(): Promise<string> {
    const position = await this.#askPrimary().catch(() => beyondAll);
    return this.#seal?.seal(position) ?? '';
  }

  /** What `sealedPosition` gave. Of anything else nobody knows what it means, so that no replica has it. */
  readPosition(sealed: string): Position {
    return this.#seal?.open(sealed) ?? beyondAll;
  }

  /** Looks at the primary and at every replica. */
  async look(): Promise<void> {
    await Promise.all([this.#raise(), ...this.#replicas.map((replica) => replica.look())]);
  }

  /** For each replica in its order: how many statements it has answered, and how many bytes it had not replayed when it was last looked at. */
  figures(): { replica: string; reads: number; behind: number | null }[] {
    return this.#replicas.map(({ name, reads, replayed }) => {
      const behind = replayed === null ? null : Number(this.#highest - replayed);
      return { replica: name, reads, behind: behind === null ? null : Math.max(0, behind) };
    });
  }

  async #answer<Answer>(primary: Db, query: (db: Db) => Promise<Answer>): Promise<Answer> {
    const replica = this.#choose();
    if (!replica) return query(primary);
    try {
      const answer = await query(replica.database.db);
      replica.reads += 1;
      return answer;
    } catch (error) {
      if (!isReplicasFault(error)) throw error;
      replica.leaveOut(error);
      return query(primary);
    }
  }

  /** In turn those that have what this request must see. */
  #choose(): Replica | undefined {
    const request = this.#requests.getStore();
    if (!request || this.#floor === null) return undefined;
    const needed = request.seen !== null && request.seen > this.#floor ? request.seen : this.#floor;
    for (let tried = 0; tried < this.#replicas.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#replicas.length;
      const replica = this.#replicas[this.#turn];
      if (replica?.has(needed)) return replica;
    }
    return undefined;
  }

  #raise(): Promise<void> {
    this.#raising ??= this.#raiseFloor();
    return this.#raising;
  }

  async #raiseFloor() {
    for (let known = -1; known !== this.#changes;) {
      known = this.#changes;
      try {
        await this.#askPrimary();
        if (this.#isInDoubt) this.#onDoubtEnds();
        this.#isInDoubt = false;
      } catch {
        // Without a primary replicas answer with what they have: there is nothing newer to be had.
        this.#isInDoubt = true;
      }
    }
    this.#floor = this.#highest;
    this.#raising = undefined;
  }

  async #askPrimary() {
    // What is flushed is what replicas are sent, and a commit is flushed before anybody is told of it.
    const { written } = await this.#primary.ask<{ written: string }>('select pg_current_wal_flush_lsn()::text as written');
    const position = asPosition(written);
    if (position > this.#highest) this.#highest = position;
    return position;
  }
}
