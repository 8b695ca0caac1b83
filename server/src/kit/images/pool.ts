import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';
import { AppError } from '../errors.ts';
import { type QueueLimits, FairQueue } from '../limits/fair-queue.ts';
import type { ImageErrorReason } from './format-helpers.ts';

export type PictureJob = { id: number; kind: 'picture' | 'logo' | 'site-logo'; path: string };
type Ready = { kind: 'ready' };
export type WorkerMessage = Ready | Outcome;
export type Outcome =
  | { id: number; kind: 'picture'; result: ProcessedPicture }
  | { id: number; kind: 'logo'; result: ProcessedFile }
  | { id: number; kind: 'site-logo'; result: ProcessedFile[] }
  | { id: number; kind: 'refused'; why: ImageErrorReason }
  | { id: number; kind: 'failed'; message: string };

export type PictureLimits = {
  /** Bytes of memory at which the process is killed. */
  memory: number;
  /** CPU seconds for decoding one picture. */
  seconds: number;
  /** Wall time, for a process that hangs without using the CPU. */
  hangMs: number;
  /** Idle time after which the process ends. */
  idleMs: number;
};

export const defaultImageLimits: PictureLimits = { memory: 385_000_000, seconds: 5, hangMs: 60_000, idleMs: 60_000 };

const threads = Math.min(availableParallelism(), 4);
// Writable memory, in kB, that Node reserves without using it: added to the system's limit.
const reserved = 1_000_000;

/** A user may have two listings with all their photos in the queue. */
export const defaultQueue: QueueLimits = { running: threads, waiting: 1_000, perClient: { running: threads, waiting: 32 } };

type Waiting = { job: PictureJob; resolve: (outcome: Outcome) => void; reject: (error: Error) => void };

/** Below the server's, so that pages stay quick, but enough of a busy machine that a seller's photos are ready within a minute. */
export const niceness = 5;

/** The process ended while it worked on a picture. A retry alone shows whether the picture is the cause. */
class ProcessEnded extends Error {
  readonly hasHung: boolean;

  constructor(hasHung: boolean) {
    super();
    this.hasHung = hasHung;
  }
}

/** A child process that works on pictures, so many at once. Started on demand, ended a minute after the last picture. */
class PictureProcess {
  readonly #atOnce: number;
  readonly #limits: PictureLimits;
  readonly #queue: Waiting[] = [];
  readonly #running = new Map<number, Waiting & { hanging: NodeJS.Timeout }>();
  readonly #hung = new WeakSet<ChildProcess>();
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(atOnce: number, limits: PictureLimits) {
    this.#atOnce = atOnce;
    this.#limits = limits;
  }

  run(kind: PictureJob['kind'], path: string): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ job: { id: ++this.#lastId, kind, path }, resolve, reject });
      this.#next();
    });
  }

  #next() {
    clearTimeout(this.#idle);
    while (this.#running.size < this.#atOnce) {
      const next = this.#queue.shift();
      if (!next) break;
      const child = (this.#child ??= this.#start());
      child.ref();
      child.channel?.ref();
      const hanging = setTimeout(() => {
        this.#hung.add(child);
        child.kill('SIGKILL');
      }, this.#limits.hangMs).unref();
      this.#running.set(next.job.id, { ...next, hanging });
      child.send(next.job);
    }
    if (this.#running.size > 0) return;
    // An idle child must not keep the server alive, and ends to free its memory.
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
    // The process watches its own memory, but a decoder can allocate much between two checks. On Linux, the system enforces a limit too.
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
      // Not the server's environment, because a process that reads untrusted files must not have its secrets.
      env: {
        UV_THREADPOOL_SIZE: String(threads + 1),
        MALLOC_ARENA_MAX: '2',
        MALLOC_MMAP_THRESHOLD_: '65536',
        MALLOC_TRIM_THRESHOLD_: '65536',
      },
    });
    if (child.pid) setPriority(child.pid, niceness);
    let isReady = false;
    child.on('message', (message: WorkerMessage) => {
      if (message.kind === 'ready') isReady = true;
      else this.#settle(message.id)?.resolve(message);
    });
    const ended = (reason: unknown) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      const hasHung = this.#hung.has(child);
      // A process that does not start is not the picture's fault.
      const error =
        isReady || hasHung ? new ProcessEnded(hasHung) : new Error(`The process for pictures could not be started: ${String(reason)}`);
      for (const id of this.#running.keys()) this.#settle(id, false)?.reject(error);
      this.#next();
    };
    child.on('error', (error) => {
      if (child.pid === undefined) ended(error);
    });
    child.on('exit', (code, signal) => ended(signal ?? code));
    return child;
  }

  #settle(id: number, startNext = true) {
    const settled = this.#running.get(id);
    clearTimeout(settled?.hanging);
    this.#running.delete(id);
    if (startNext) this.#next();
    return settled;
  }
}

/**
 * Works on pictures in a child process, round-robin per user. If it crashes, its pictures are retried one by one in a second process, while the others
 * continue; a picture that crashes this one too is rejected. One that takes too long twice may have met a busy machine: nothing is said about it.
 */
export class PicturePool {
  readonly #shared: PictureProcess;
  readonly #suspects: PictureProcess;
  readonly #queue: FairQueue;

  constructor(limits = defaultImageLimits, queue = defaultQueue) {
    this.#shared = new PictureProcess(threads, limits);
    this.#suspects = new PictureProcess(1, limits);
    this.#queue = new FairQueue(queue);
  }

  /** Throws `too_many_requests` if too many pictures of this user wait, and `overloaded` if too many of all users do or this one takes too long. */
  run(kind: PictureJob['kind'], path: string, userId: string | null = null): Promise<Outcome> {
    return this.#queue.run(() => this.#process(kind, path), userId);
  }

  async #process(kind: PictureJob['kind'], path: string): Promise<Outcome> {
    try {
      return await this.#shared.run(kind, path);
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
    }
    try {
      return await this.#suspects.run(kind, path);
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      if (error.hasHung) throw new AppError('overloaded');
      return { id: 0, kind: 'refused', why: { reason: 'too_costly' } };
    }
  }
}

export type PictureFormat = 'avif' | 'webp';

/** A file to store. Its key is the picture's key plus `suffix`. */
export type ProcessedFile = { suffix: string; data: Buffer; contentType: string };

/** A picture in all sizes and formats of the site. `width` and `height` are those of the largest, upright. */
export type ProcessedPicture = {
  widths: number[];
  formats: PictureFormat[];
  width: number;
  height: number;
  /** Base64. */
  thumbhash: string;
  files: ProcessedFile[];
};
