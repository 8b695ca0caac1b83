import { Resolver } from 'node:dns/promises';
import { Worker } from 'node:worker_threads';
import type { SiteSettings } from '@handwise/contract/site/settings';
import { site } from '@handwise/contract/site/site';
import { FairQueue } from '../limits/fair-queue.ts';
import type { OwnText } from './mail-own-lines.ts';
import type { Resolve, SenderCheck } from './mail-sender-check.ts';

export type ThreadJob = { raw: Uint8Array<ArrayBuffer>; own: OwnText; check: SenderCheck | null };

/** With the site, because a thread has globals of its own. */
export type ThreadData = { job: ThreadJob; site: SiteSettings };

/** A file of a mail: a picture or PDF of a kind and size that can be tried, or why it is not one. */
export type MailFile =
  | { name: string; kind: 'picture' | 'pdf'; content: Uint8Array }
  | { name: string; problem: 'other_kind' }
  | { name: string; problem: 'too_large'; maxBytes: number };

export type MailOutcome =
  | { kind: 'reply'; text: string; isMasked: boolean; files: MailFile[]; moreFiles: number; id: string }
  /** A reaction such as "Liked". */
  | { kind: 'reaction' }
  | { kind: 'unreadable' }
  | { kind: 'too_long' }
  | { kind: 'unverified'; isTemporary: boolean }
  /** It took more time or memory than any ordinary mail. */
  | { kind: 'too_costly' };

export type ThreadMessage =
  | { kind: 'dns'; id: number; domain: string; type: string }
  | { kind: 'done'; outcome: MailOutcome }
  | { kind: 'failed'; message: string };
export type DnsAnswer = { id: number } & ({ records: string[] } | { code: string });

export type ParserLimits = {
  /** CPU seconds for one mail. */
  cpuSeconds: number;
  /** Wall time, for a thread that waits for DNS. */
  hangMs: number;
  heapMb: number;
};
const defaultLimits: ParserLimits = { cpuSeconds: 10, hangMs: 60_000, heapMb: 128 };

const checkEveryMs = 100;
/** Questions to DNS for one mail: a mail with five signatures and a long SPF record has fewer. */
const maxQuestions = 60;
const dnsLimits = { timeout: 3_000, tries: 2 };

/** Reads mails in threads of their own, two at once, round-robin per client. */
export class MailParser {
  readonly #limits: ParserLimits;
  readonly #resolve: Resolve;
  readonly #queue = new FairQueue({ running: 2, waiting: 100, perClient: { running: 1, waiting: 20 } });

  constructor({ resolve, limits = defaultLimits }: { resolve?: Resolve | undefined; limits?: ParserLimits | undefined } = {}) {
    const resolver = new Resolver(dnsLimits);
    this.#resolve = resolve ?? (async (domain, type) => (await resolver.resolve(domain, type)) as string[]);
    this.#limits = limits;
  }

  /** Throws `too_many_requests` or `overloaded` if too many mails wait. The bytes of the mail are gone afterwards. */
  run(job: ThreadJob, client: string): Promise<MailOutcome> {
    return this.#queue.run(() => this.#read(job), client);
  }

  async #read(job: ThreadJob): Promise<MailOutcome> {
    const { cpuSeconds, hangMs, heapMb } = this.#limits;
    const thread = new Worker(new URL('mail-parser.thread.ts', import.meta.url), {
      workerData: { job, site: { ...site } } satisfies ThreadData,
      transferList: [job.raw.buffer],
      // What reads strangers' bytes must not have the server's secrets.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    });
    let questions = 0;
    const started = performance.now();
    let watch: NodeJS.Timeout | undefined;
    try {
      return await new Promise<MailOutcome>((resolve, reject) => {
        watch = setInterval(() => {
          if (performance.now() - started > hangMs) reject(new Error('An email could not be read in time'));
          void isOver(thread, cpuSeconds).then((over) => over && resolve({ kind: 'too_costly' }));
        }, checkEveryMs);
        thread.on('message', (message: ThreadMessage) => {
          if (message.kind === 'done') resolve(message.outcome);
          else if (message.kind === 'failed') reject(new Error(`An email could not be read: ${message.message}`));
          else if (++questions > maxQuestions) resolve({ kind: 'too_costly' });
          else void this.#answer(message, thread);
        });
        thread.on('error', (error: Error & { code?: string }) => {
          if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ kind: 'too_costly' });
          else reject(error);
        });
        thread.on('exit', (code) => reject(new Error(`The thread for emails ended with ${code}`)));
      });
    } finally {
      clearInterval(watch);
      await thread.terminate();
    }
  }

  async #answer({ id, domain, type }: { id: number; domain: string; type: string }, thread: Worker): Promise<void> {
    let answer: DnsAnswer;
    try {
      answer = { id, records: (await this.#resolve(domain, type)) as string[] };
    } catch (error) {
      answer = { id, code: error instanceof Error && 'code' in error ? String(error.code) : 'ESERVFAIL' };
    }
    // A thread has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    thread.postMessage(answer);
  }
}

async function isOver(thread: Worker, cpuSeconds: number): Promise<boolean> {
  try {
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1_000_000 > cpuSeconds;
  } catch {
    // The thread has ended.
    return false;
  }
}
