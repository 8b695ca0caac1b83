import type { ErrorCode } from '@handwise/contract/errors';
import { AppError, type ErrorDetails } from '../errors.ts';
import type { NetworkWork } from './network-work.ts';

export type TurnLimits = {
  /** How much may be at work at the same time: of light work so many pieces. */
  running: number;
  waiting: number;
  /** The same of one network, and how it is paced. Without, one may have all of it. */
  ofOne?: { running: number; waiting: number; rest?: Rest };
  /** What somebody is told where too much waits. */
  refusal?: ErrorCode;
};

/** Whoever has had so many milliseconds of work waits after each piece for so many times as long as it took. */
type Rest = { from: number; times: number };

/** Whose work it is, null where nobody is counted; and how much of it there is: 1 is light. */
type Piece = { by?: string | null; weight?: number; isCharged?: boolean };
type Waiting = Required<Piece> & { begin: () => void };

const retryAfter: ErrorDetails = { retryAfterSeconds: 2 };

/**
 * Lets so much work run at the same time. Of what waits, each network has one piece in turn, in the order in which its own came, so that nobody
 * waits for all that somebody else has asked for. Too much is refused.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #charges: NetworkWork | undefined;
  /** By whose they are: whoever had a turn goes to the end. */
  readonly #queues = new Map<string | null, Waiting[]>();
  readonly #runningOf = new Map<string, number>();
  /** Until when whoever is paced begins nothing. */
  readonly #restUntil = new Map<string, number>();
  #running = 0;
  #waiting = 0;
  // Time as one sees it who shares it with all others that are at work.
  #shared = 0;
  #sharedAt = 0;
  /** How often somebody was refused, because of all or because of what this one asked for itself. */
  readonly refused = { all: 0, one: 0 };

  constructor(limits: TurnLimits, charges?: NetworkWork) {
    this.#limits = limits;
    this.#charges = charges;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Throws `too_many_requests` where one network asks for more than its share, and the refusal of the limits where all do. */
  async run<Result>(work: () => Promise<Result>, { by = null, weight = 1, isCharged = true }: Piece = {}): Promise<Result> {
    const piece = { by, weight: Math.min(weight, this.#limits.running), isCharged };
    this.#admit(piece);
    await new Promise<void>((begin) => this.#enqueue({ ...piece, begin }));
    const begun = this.#shared;
    try {
      return await work();
    } finally {
      this.#pass();
      const taken = (this.#shared - begun) * piece.weight;
      if (isCharged) this.#charges?.charge(by, taken);
      this.#count(piece, -1);
      if (by !== null) this.#rest(by, taken);
      // Whoever else has come meanwhile is heard first: pieces that wait for nothing outside would follow one another for as long as any wait.
      setImmediate(() => this.#next());
    }
  }

  #admit({ by, weight, isCharged }: Required<Piece>) {
    const { waiting, ofOne, refusal = 'overloaded' } = this.#limits;
    if (by !== null && isCharged) {
      const wait = this.#charges?.waitOf(by) ?? 0;
      if (wait > 0) {
        this.refused.one += 1;
        throw new AppError('too_many_requests', { retryAfterSeconds: wait });
      }
    }
    if (
      by !== null &&
      ofOne &&
      (this.#queues.get(by)?.length ?? 0) >= ofOne.waiting &&
      !(this.#isRoom(weight) && this.#isOwnRoom(by, weight))
    ) {
      this.refused.one += 1;
      throw new AppError('too_many_requests', retryAfter);
    }
    if (this.#waiting >= waiting && !(this.#isRoom(weight) && this.#isOwnRoom(by, weight))) {
      this.refused.all += 1;
      throw new AppError(refusal, retryAfter);
    }
  }

  #enqueue(piece: Waiting) {
    const queue = this.#queues.get(piece.by) ?? [];
    queue.push(piece);
    this.#queues.set(piece.by, queue);
    this.#waiting += 1;
    this.#next();
  }

  #isRoom = (weight: number) => this.#running + weight <= this.#limits.running;

  #rest(by: string, taken: number) {
    const { rest } = this.#limits.ofOne ?? {};
    if (!rest || (this.#charges?.hadBy(by) ?? 0) <= rest.from) return;
    const isResting = this.#restUntil.has(by);
    this.#restUntil.set(by, (this.#restUntil.get(by) ?? performance.now()) + taken * rest.times);
    if (!isResting) this.#wake(by);
  }

  #wake(by: string) {
    const left = (this.#restUntil.get(by) ?? 0) - performance.now();
    if (left > 0) return void setTimeout(() => this.#wake(by), left).unref();
    this.#restUntil.delete(by);
    this.#next();
  }

  #isOwnRoom(by: string | null, weight: number): boolean {
    const { ofOne } = this.#limits;
    if (by !== null && this.#restUntil.has(by)) return false;
    const own = by === null ? 0 : (this.#runningOf.get(by) ?? 0);
    // What weighs more than one may have at a time runs alone among its own.
    return !ofOne || own === 0 || own + weight <= ofOne.running;
  }

  #next(): void {
    for (const [by, queue] of this.#queues) {
      const [first] = queue;
      if (!first || !this.#isOwnRoom(by, first.weight)) continue;
      // What weighs much waits until there is room for it: light work must not slip in before it for ever.
      if (!this.#isRoom(first.weight)) return;
      this.#begin(first, queue);
      return this.#next();
    }
  }

  #begin(piece: Waiting, queue: Waiting[]) {
    queue.shift();
    this.#queues.delete(piece.by);
    if (queue.length > 0) this.#queues.set(piece.by, queue);
    this.#waiting -= 1;
    this.#pass();
    this.#count(piece, 1);
    piece.begin();
  }

  #count({ by, weight }: Required<Piece>, times: 1 | -1) {
    this.#running += weight * times;
    if (by === null) return;
    const own = (this.#runningOf.get(by) ?? 0) + weight * times;
    if (own === 0) this.#runningOf.delete(by);
    else this.#runningOf.set(by, own);
  }

  #pass() {
    const now = performance.now();
    if (this.#running > 0) this.#shared += (now - this.#sharedAt) / this.#running;
    this.#sharedAt = now;
  }
}
