import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FileField } from '@handwise/contract/call';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { AppError, oncePerField } from '../errors.ts';
import { diskError, openScratchFolder } from './files-store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Folder of uploaded files while their request is served. */
    uploadsDir: string;
  }
  interface FastifyContextConfig {
    /** The route reads forms with `readForm`, and with 'or_json' their text fields as JSON too. Everywhere else forms are refused. */
    takesForms?: boolean | 'or_json';
  }
}

/**
 * A file as it was uploaded, at a path of our own making. `field` is its field's name without brackets, `fieldPath` its place
 * among the files of that field, as in `serviceImages[2]`. `filename` is for people to read, never for a path.
 */
export type UploadedFile = { field: string; fieldPath: string; filename: string; path: string; bytes: number };

export type Form = {
  /** Repeated names, `name[]` and `name[0]` become a list under `name`, in the order sent. */
  fields: Record<string, string | string[]>;
  files: UploadedFile[];
  /** Deletes the temporary files. To be called in any case, when the request is done. */
  cleanup(): Promise<void>;
};

const maxParts = 120;
const maxFields = 100;
const maxFieldBytes = 16 * 1024;
const maxNameLength = 100;
/** All text fields together with the lines between the parts. */
const maxTextBytes = 512 * 1024;

/** Makes routes whose config has `takesForms: true` take forms with files, by `readForm`. To be registered once. */
export async function multipartForms(app: FastifyInstance, { dir }: { dir: string }): Promise<void> {
  await openScratchFolder(app, dir);
  app.decorate('uploadsDir', dir);
  await app.register(multipart, { throwFileSizeLimit: false });
  app.addHook('preParsing', async (request) => {
    const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;
    const takes = request.routeOptions.config.takesForms ?? false;
    if (takes !== 'or_json' && isForm !== takes) throw new AppError('unsupported_media_type');
  });
}

const megabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;

// What a browser sends as the file's name, fit for a sentence: no folders, no line breaks, not endless.
const readable = (filename: string) =>
  filename
    .replace(/^.*[\\/]/s, '')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(0, 80) || 'file';

const nameShape = /^([a-z]\w*)(\[\d{0,4}\])?$/i;

function parseName(name: string) {
  const [, base, brackets] = nameShape.exec(name) ?? [];
  if (!base || name.length > maxNameLength) throw new AppError('malformed_request');
  return { base, isList: brackets !== undefined };
}

// Errors of the parser have no type of their own. Those of the disk come from a system call.
function asFormError(error: unknown, log: FastifyBaseLogger): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if ('syscall' in error && /^(open|write|close)$/.test(String(error.syscall))) {
    log.error({ err: error }, 'an upload could not be kept');
    return diskError(error);
  }
  return new AppError('statusCode' in error && error.statusCode === 413 ? 'body_too_large' : 'malformed_request');
}

/**
 * Reads a form with files, each streamed to a temporary file. Throws `file_too_large` and `too_many_files`, which name the
 * field and the file, `body_too_large` for too many or too long parts, `malformed_request` for what is no form or was cut
 * off, and `storage_full`. Where it throws, no temporary file is left.
 */
export async function readForm(request: FastifyRequest, fileFields: Readonly<Record<string, FileField>>): Promise<Form> {
  const maxBytes = Object.values(fileFields).reduce((sum, one) => sum + one.maxFiles * one.maxBytes, maxTextBytes);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new AppError('body_too_large');

  const values = new Map<string, string[]>();
  const lists = new Set<string>();
  const files: UploadedFile[] = [];
  const counts = new Map<string, number>();
  const paths: string[] = [];
  const cleanup = async () => {
    await Promise.all(paths.splice(0).map((path) => rm(path, { force: true })));
  };

  async function saveFile(part: MultipartFile) {
    const { base } = parseName(part.fieldname);
    const limit = Object.hasOwn(fileFields, base) ? fileFields[base] : undefined;
    if (!limit) throw new AppError('invalid_input', { fields: [{ field: base, message: 'This field takes no files' }] });
    const place = counts.get(base) ?? 0;
    const fieldPath = limit.maxFiles === 1 ? base : `${base}[${place}]`;
    const path = join(request.server.uploadsDir, randomUUID());
    paths.push(path);
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    await pipeline(part.file, target);
    // A browser sends a file without name and content for a field in which nothing was chosen.
    if (target.bytesWritten === 0 && !part.filename) return;
    const filename = readable(part.filename ?? '');
    if (place >= limit.maxFiles) {
      const message = limit.maxFiles === 1 ? 'Choose one file only' : `Choose at most ${limit.maxFiles} files`;
      throw new AppError('too_many_files', { fields: [{ field: base, message }] });
    }
    if (part.file.truncated || target.bytesWritten > limit.maxBytes) {
      const message = `“${filename}” is larger than ${megabytes(limit.maxBytes)}.`;
      throw new AppError('file_too_large', { fields: [{ field: fieldPath, message }] });
    }
    counts.set(base, place + 1);
    files.push({ field: base, fieldPath, filename, path, bytes: target.bytesWritten });
  }

  let received = 0;
  request.raw.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // The parts have limits of their own. This ends a body that says nothing of its length and goes on between them.
    if (received > maxBytes) request.raw.destroy();
  });
  try {
    const parts = request.parts({
      limits: {
        parts: maxParts,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        fileSize: Math.max(0, ...Object.values(fileFields).map((one) => one.maxBytes)),
        headerPairs: 20,
      },
    });
    for await (const part of parts) {
      if (part.type === 'file') {
        await saveFile(part);
        continue;
      }
      const { base, isList } = parseName(part.fieldname);
      if (part.valueTruncated || typeof part.value !== 'string') {
        throw new AppError('invalid_input', { fields: [{ field: base, message: 'This text is too long' }] });
      }
      if (isList) lists.add(base);
      const known = values.get(base);
      if (known) known.push(part.value);
      else values.set(base, [part.value]);
    }
  } catch (error) {
    // The rest is read and dropped, because a browser listens to an answer only when it has sent everything.
    request.raw.unpipe();
    request.raw.resume();
    await cleanup();
    throw asFormError(error, request.log);
  }
  const fields = [...values].map(([name, all]) => [name, lists.has(name) || all.length > 1 ? all : (all[0] ?? '')] as const);
  return { fields: Object.fromEntries(fields), files, cleanup };
}

/**
 * Reads the form of a call, checks its text fields against the call's schema and hands both on. The temporary files are
 * gone when `work` is done. Throws what `readForm` throws, and `invalid_input` for the text fields.
 */
export async function readCallForm<C extends { form: z.ZodObject; files: Readonly<Record<string, FileField>> }, Result>(
  request: FastifyRequest,
  call: C,
  work: (form: z.output<C['form']>, files: readonly UploadedFile[]) => Promise<Result>,
): Promise<Result> {
  // What is no form has been parsed as JSON by now, or was refused.
  const form = request.isMultipart()
    ? await readForm(request, call.files)
    : { fields: request.body ?? {}, files: [], cleanup: async () => {} };
  try {
    const { data, error } = call.form.safeParse(form.fields);
    if (error) {
      throw new AppError('invalid_input', {
        fields: oncePerField(error.issues.map((issue) => ({ field: issue.path.map(String).join('.'), message: issue.message }))),
      });
    }
    return await work(data as z.output<C['form']>, form.files);
  } finally {
    await form.cleanup();
  }
}
