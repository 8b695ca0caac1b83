import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism, constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { AppError } from './errors.ts';

// Pictures are processed in a process of their own. A broken decoder ends that process and not the server; the pages of
// visitors come first; and its allocator is set up for large short-lived blocks. (With the allocator's own settings, ten
// pictures of 12 megapixels left the process at 510 MB; with these at 250 MB.)
//
// Measured with such pictures in three widths, on one core: decoding 80 ms a picture, WebP 100 ms, AVIF 320 ms with effort
// 1, 600 ms with 2, 3,800 ms with 4. AVIF is a fifth smaller than WebP with effort 1, a quarter with 2, a third with 4. So
// effort 2, and at once: ten pictures take about 4 s on two cores, which is less than uploading them from a phone.

export type PictureFormat = 'avif' | 'webp';

/** A file to be stored: its key is the picture's key with `suffix` behind it. */
export type ProcessedFile = { suffix: string; data: Buffer; contentType: string };

/** A picture in every size and format that the site asks for. `width` and `height` are those of the largest, upright. */
export type ProcessedPicture = {
  widths: number[];
  formats: PictureFormat[];
  width: number;
  height: number;
  /** Base64. */
  thumbhash: string;
  files: ProcessedFile[];
};

/** An uploaded file. `fieldPath` and `filename` say in an error which one it is. */
export type PictureSource = { path: string; fieldPath: string; filename: string };

export type RefusalReason = { reason: 'unreadable' | 'damaged' } | { reason: 'too_many_pixels'; megapixels: number };
export type Job = { id: number; kind: 'picture' | 'logo'; path: string };
export type Outcome =
  | { id: number; kind: 'picture'; result: ProcessedPicture }
  | { id: number; kind: 'logo'; result: ProcessedFile }
  | ({ id: number; kind: 'refused' } & RefusalReason)
  | { id: number; kind: 'failed'; message: string };

function refusalText(why: RefusalReason) {
  if (why.reason === 'too_many_pixels') return `has too many pixels. Use a picture of at most ${why.megapixels} megapixels.`;
  if (why.reason === 'damaged') return 'is damaged or incomplete.';
  return 'is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.';
}

const idleMs = 60_000;
let worker: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;
let lastId = 0;
const waiting = new Map<number, { resolve: (outcome: Outcome) => void; reject: (error: Error) => void }>();

function startWorker(): ChildProcess {
  const started = fork(join(import.meta.dirname, 'images-worker.ts'), {
    serialization: 'advanced',
    execArgv: [],
    // Not the server's environment: what reads strangers' files has no use for its secrets.
    env: {
      UV_THREADPOOL_SIZE: String(availableParallelism() + 1),
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '65536',
      MALLOC_TRIM_THRESHOLD_: '65536',
    },
  });
  if (started.pid) setPriority(started.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  started.on('message', (outcome: Outcome) => {
    waiting.get(outcome.id)?.resolve(outcome);
    settled(outcome.id);
  });
  const ended = (error: Error) => {
    if (worker !== started) return;
    worker = undefined;
    for (const [id, { reject }] of waiting) {
      reject(error);
      settled(id);
    }
  };
  started.on('error', ended);
  started.on('exit', (code, signal) => ended(new Error(`The process for pictures ended with ${signal ?? code}`)));
  return started;
}

// Nothing to do must not keep the server alive, and a worker without work gives its memory back.
function settled(id: number) {
  waiting.delete(id);
  if (waiting.size > 0) return;
  worker?.unref();
  worker?.channel?.unref();
  idle = setTimeout(() => {
    worker?.disconnect();
    worker = undefined;
  }, idleMs).unref();
}

async function run(kind: Job['kind'], { path, fieldPath, filename }: PictureSource): Promise<Outcome> {
  clearTimeout(idle);
  const id = ++lastId;
  const outcome = await new Promise<Outcome>((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker ??= startWorker();
    worker.ref();
    worker.channel?.ref();
    worker.send({ id, kind, path } satisfies Job);
  });
  if (outcome.kind === 'failed') throw new Error(`A picture could not be processed: ${outcome.message}`);
  if (outcome.kind !== 'refused') return outcome;
  const code = outcome.reason === 'too_many_pixels' ? 'picture_too_large' : 'unsupported_picture';
  throw new AppError(code, { fields: [{ field: fieldPath, message: `“${filename}” ${refusalText(outcome)}` }] });
}

/**
 * Makes of an uploaded file what the site serves. It is decoded once and everything is drawn anew from its pixels, so
 * nothing else of it is left: no EXIF, no place, no comment. Waits for its turn where others are being processed.
 * Throws `unsupported_picture` and `picture_too_large`, both naming the file.
 */
export async function processPicture(source: PictureSource): Promise<ProcessedPicture> {
  const outcome = await run('picture', source);
  if (outcome.kind !== 'picture') throw new Error('The process for pictures gave another answer than asked for');
  return outcome.result;
}

/** Processes pictures and keeps their order. Where some are at fault, throws one error that names each of them. */
export async function processPictures(sources: readonly PictureSource[]): Promise<ProcessedPicture[]> {
  const results = await Promise.allSettled(sources.map(processPicture));
  const failures = results.filter((result) => result.status === 'rejected').map((result): unknown => result.reason);
  const fault = failures.find((failure) => !(failure instanceof AppError));
  if (fault) throw fault;
  const refused = failures.filter((failure) => failure instanceof AppError);
  if (refused[0]) throw new AppError(refused[0].code, { fields: refused.flatMap((one) => one.fields) });
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** A logo as one WebP within 256 × 256, transparent where it was. Throws as `processPicture` does. */
export async function processLogo(source: PictureSource): Promise<ProcessedFile> {
  const outcome = await run('logo', source);
  if (outcome.kind !== 'logo') throw new Error('The process for pictures gave another answer than asked for');
  return outcome.result;
}
