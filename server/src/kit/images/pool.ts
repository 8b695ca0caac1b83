import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { type QueueLimits, FairQueue } from '../limits/fair-queue.ts';
import type { ProcessedFile, ProcessedPicture } from './processed.ts';
import type { RefusalReason } from './refusal.ts';

export type Job = { id: number; kind: 'picture' | 'logo'; path: string };
type Ready = { kind: 'ready' };
export type Message = Ready | Outcome;
export type Outcome =
  | { id: number; kind: 'picture'; result: ProcessedPicture }
  | { id: number; kind: 'logo'; result: ProcessedFile }
  | { id: number; kind: 'refused'; why: RefusalReason }
  | { id: number; kind: 'failed'; message: string };

export type Limits = {
  /** Bytes of memory at which the process is ended. */
  memory: number;
  /** Seconds of a core that decoding one picture may take. */
  seconds: number;
  /** By the clock, for what hangs without working. */
  hangMs: number;
  /** How long it waits for more work before it gives its memory back. */
  idleMs: number;
};

export const usualLimits: Limits = { memory: 385_000_000, seconds: 5, hangMs: 60_000, idleMs: 60_000 };

const threads = Math.min(availableParallelism(), 4);
// So much of writable memory, in kB, a process of Node's has reserved and not used: the limit of the system is above it.
const reserved = 1_000_000;

/** A user may have two listings with all their photos in the queue. */
export const defaultQueue: QueueLimits = { running: threads, waiting: 1_000, perClient: { running: threads, waiting: 32 } };

type Waiting = { job: Job; resolve: (outcome: Outcome) => void; reject: (error: Error) => void };

/** The process ended while a picture was in work. Whether because of it, running it alone tells. */
class Ended extends Error {}

/** A process that works on pictures, so many at once, started when there are some and ended a minute after the last. */
class PictureProcess {
  readonly #atOnce: number;
  readonly #limits: Limits;
  readonly #queue: Waiting[] = [];
  readonly #inWork = new Map<number, Waiting & { hanging: NodeJS.Timeout }>();
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(atOnce: number, limits: Limits) {
    this.#atOnce = atOnce;
    this.#limits = limits;
  }

  run(kind: Job['kind'], path: string): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job: { id: ++this.#lastId, kind, path }, resolve, reject });
      this.#next();
    });
  }

  #next() {
    clearTimeout(this.#idle);
    while (this.#inWork.size < this.#atOnce) {
      const next = this.#queue.shift();
      if (!next) break;
      const child = (this.#child ??= this.#start());
      child.ref();
      child.channel?.ref();
      const hanging = setTimeout(() => child.kill('SIGKILL'), this.#limits.hangMs).unref();
      this.#inWork.set(next.job.id, { ...next, hanging });
      child.send(next.job);
    }
    if (this.#inWork.size > 0) return;
    // Nothing to do must not keep the server alive, and a process without work gives its memory back.
    this.#child?.unref();
    this.#child?.channel?.unref();
    this.#idle = setTimeout(() => {
      this.#child?.disconnect();
      this.#child = undefined;
    }, this.#limits.idleMs).unref();
  }

  #start(): ChildProcess {
    const program = join(import.meta.dirname, 'worker.ts');
    const { memory, seconds } = this.#limits;
    // The process watches itself, but between two looks a decoder can take much. Where it can be had, the system's limit ends that.
    const limited =
      process.platform === 'linux'
        ? {
            execPath: '/bin/sh',
            execArgv: ['-c', `ulimit -d ${reserved + Math.ceil(memory / 1024)} 2>/dev/null; exec "$0" "$@"`, process.execPath],
          }
        : { execArgv: [] };
    const child = fork(program, [String(memory), String(seconds)], {
      ...limited,
      serialization: 'advanced',
      // Not the server's environment: what reads strangers' files has no use for its secrets.
      env: {
        UV_THREADPOOL_SIZE: String(threads + 1),
        MALLOC_ARENA_MAX: '2',
        MALLOC_MMAP_THRESHOLD_: '65536',
        MALLOC_TRIM_THRESHOLD_: '65536',
      },
    });
    if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
    let isReady = false;
    child.on('message', (message: Message) => {
      if (message.kind === 'ready') isReady = true;
      else this.#settle(message.id)?.resolve(message);
    });
    const ended = (reason: unknown) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      // One that cannot even start is no picture's fault.
      const error = isReady ? new Ended() : new Error(`The process for pictures does not start: ${String(reason)}`);
      for (const id of this.#inWork.keys()) this.#settle(id, false)?.reject(error);
      this.#next();
    };
    child.on('error', (error) => {
      if (child.pid === undefined) ended(error);
    });
    child.on('exit', (code, signal) => ended(signal ?? code));
    return child;
  }

  #settle(id: number, goOn = true) {
    const settled = this.#inWork.get(id);
    clearTimeout(settled?.hanging);
    this.#inWork.delete(id);
    if (goOn) this.#next();
    return settled;
  }
}

/**
 * Works on pictures in a process of their own, round-robin per user. Where that ends, those that were in work are tried again one by one, in a
 * second process, so that the others go on meanwhile; one that ends this as well is refused.
 */
export class PicturePool {
  readonly #shared: PictureProcess;
  readonly #suspects: PictureProcess;
  readonly #queue: FairQueue;

  constructor(limits = usualLimits, queue = defaultQueue) {
    this.#shared = new PictureProcess(threads, limits);
    this.#suspects = new PictureProcess(1, limits);
    this.#queue = new FairQueue(queue);
  }

  /** Throws `too_many_requests` if too many pictures of this user wait, and `overloaded` if too many of all users do. */
  run(kind: Job['kind'], path: string, userId: string | null = null): Promise<Outcome> {
    return this.#queue.run(() => this.#process(kind, path), userId);
  }

  async #process(kind: Job['kind'], path: string): Promise<Outcome> {
    try {
      return await this.#shared.run(kind, path);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
    }
    try {
      return await this.#suspects.run(kind, path);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      return { id: 0, kind: 'refused', why: { reason: 'too_costly' } };
    }
  }
}
