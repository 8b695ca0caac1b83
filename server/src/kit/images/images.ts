import { pictureProblems } from '@handwise/contract/pictures';
import { AppError } from '../errors.ts';
import type { ImageErrorReason } from './format-helpers.ts';
import { type Outcome, PicturePool, type PictureJob, type ProcessedFile, type ProcessedPicture } from './pool.ts';

// Pictures are processed in a child process, so that a decoder's crash does not end the server, pages have priority, and the allocator is tuned for
// large short-lived blocks.
//
// Measured with pictures of 12 megapixels in three widths, on one core: decoding 80 ms a picture, WebP 100 ms, AVIF 320 ms
// with effort 1, 600 ms with 2, 3,800 ms with 4. AVIF is a fifth smaller than WebP with effort 1, a quarter with 2, a third
// with 4. So effort 2, during the request: ten pictures take about 4 s on two cores, less than uploading them from a phone.

/** An uploaded file. `fieldPath` and `filename` identify it in errors. */
export type PictureSource = { path: string; fieldPath: string; filename: string };

export { niceness } from './pool.ts';

const pool = new PicturePool();

function formatRejection(why: ImageErrorReason) {
  if (why.reason === 'too_many_pixels') return pictureProblems.tooManyPixels(why.megapixels);
  if (why.reason === 'too_long') return pictureProblems.tooLong;
  if (why.reason === 'too_costly') return pictureProblems.tooCostly;
  return pictureProblems[why.reason];
}

async function run(kind: PictureJob['kind'], { path, fieldPath, filename }: PictureSource, userId: string | null): Promise<Outcome> {
  const outcome = await pool.run(kind, path, userId);
  if (outcome.kind === 'failed') throw new Error(`A picture could not be processed: ${outcome.message}`);
  if (outcome.kind !== 'refused') return outcome;
  const { why } = outcome;
  const code = why.reason === 'unreadable' || why.reason === 'damaged' ? 'unsupported_picture' : 'picture_too_large';
  throw new AppError(code, { fields: [{ field: fieldPath, message: `“${filename}” ${formatRejection(why)}` }] });
}

/**
 * Converts an uploaded file to the sizes and formats of the site. All are encoded from decoded pixels, so no metadata is left. Round-robin per user.
 * Throws `unsupported_picture` and `picture_too_large`, both naming the file, `too_many_requests` and `overloaded`.
 */
export async function processPicture(source: PictureSource, userId: string | null = null): Promise<ProcessedPicture> {
  const outcome = await run('picture', source, userId);
  if (outcome.kind !== 'picture') throw new Error('The process for pictures gave an unexpected answer');
  return outcome.result;
}

/** Processes a user’s pictures in order. If some are invalid, throws one error that names each of them. */
export async function processPictures(sources: readonly PictureSource[], userId: string | null): Promise<ProcessedPicture[]> {
  const results = await Promise.allSettled(sources.map((source) => processPicture(source, userId)));
  const failures = results.filter((result) => result.status === 'rejected').map((result): unknown => result.reason);
  // An error without a file concerns all of them.
  const fault = failures.find((failure) => !(failure instanceof AppError) || failure.fields.length === 0);
  if (fault) throw fault;
  const refused = failures.filter((failure) => failure instanceof AppError);
  if (refused[0]) throw new AppError(refused[0].code, { fields: refused.flatMap((one) => one.fields) });
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/** Converts a logo to one WebP within 256 × 256 that keeps its transparency. Throws as `processPicture` does. */
export async function processLogo(source: PictureSource, userId: string | null): Promise<ProcessedFile> {
  const outcome = await run('logo', source, userId);
  if (outcome.kind !== 'logo') throw new Error('The process for pictures gave an unexpected answer');
  return outcome.result;
}

/** Converts the logo of the site to the files that its pages, emails, documents and home screens need. Throws as `processPicture` does. */
export async function processSiteLogo(source: PictureSource, userId: string | null): Promise<ProcessedFile[]> {
  const outcome = await run('site-logo', source, userId);
  if (outcome.kind !== 'site-logo') throw new Error('The process for pictures gave an unexpected answer');
  return outcome.result;
}
