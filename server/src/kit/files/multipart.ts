import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { FileField } from '@handwise/contract/call';
import { AppError, listFirstErrors } from '../errors.ts';
import { toDisplayName } from './display-name.ts';
import { toStorageError, openTempFolder } from './file-store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Folder of temporary files of uploads. */
    uploadsDir: string;
    /** How many uploads of a person, or of a network without a session, are being received or processed. */
    uploadsOf: Map<string, number>;
    uploadsAtOnce: number;
  }
  interface FastifyContextConfig {
    /** The route reads forms with `readForm`; with 'or_json' it also accepts their text fields as JSON. Other routes reject forms. */
    takesForms?: boolean | 'or_json';
  }
}

/**
 * An uploaded file at a generated path. `field` is its field's name without brackets, `fieldPath` includes its index, as in `serviceImages[2]`.
 * `filename` is for display, never for a path.
 */
export type UploadedFile = { field: string; fieldPath: string; filename: string; path: string; bytes: number };

export type Form = {
  /** Repeated names, `name[]` and `name[0]` become a list under `name`, in the order of the form. */
  fields: Record<string, string | string[]>;
  files: UploadedFile[];
  /** Deletes the temporary files. Must be called at the end of every request. */
  cleanup(): Promise<void>;
};

const maxParts = 120;
const maxFields = 100;
const maxFieldBytes = 16 * 1024;
const maxNameLength = 100;
/** All text fields together with the lines that separate the parts. */
const maxTextBytes = 512 * 1024;

/** Lets routes with `takesForms` in their config accept forms with files. To be called once. */
export async function registerForms(app: FastifyInstance, { dir, atOnce }: { dir: string; atOnce: number }): Promise<void> {
  await openTempFolder(app, dir);
  app.decorate('uploadsAtOnce', atOnce);
  app.decorate('uploadsDir', dir);
  app.decorate('uploadsOf', new Map());
  await app.register(multipart, { throwFileSizeLimit: false });
  app.addHook('preParsing', async (request) => {
    const isForm = request.headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;
    const takes = request.routeOptions.config.takesForms ?? false;
    if (takes !== 'or_json' && isForm !== takes) throw new AppError('unsupported_media_type');
  });
}

const formatMegabytes = (bytes: number) => `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;

const nameShape = /^([a-z]\w*)(\[\d{0,4}\])?$/i;

function parseName(name: string) {
  const [, base, brackets] = nameShape.exec(name) ?? [];
  if (!base || name.length > maxNameLength) throw new AppError('malformed_request');
  return { base, isList: brackets !== undefined };
}

// The parser's errors have no type of their own; errors of the disk name a system call.
function toFormError(error: unknown, log: FastifyBaseLogger): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  if ('syscall' in error && /^(open|write|close)$/.test(String(error.syscall))) {
    log.error({ err: error }, 'an upload could not be saved');
    return toStorageError(error);
  }
  return new AppError('statusCode' in error && error.statusCode === 413 ? 'body_too_large' : 'malformed_request');
}

/**
 * Reads a form with files, each streamed to a temporary file. Throws `file_too_large` and `too_many_files`, which name the field and the file,
 * `body_too_large` for too many or too long parts, `malformed_request` for an invalid or incomplete form, and `storage_full`. When it throws, it has
 * deleted the temporary files.
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
    try {
      await pipeline(part.file, target);
    } finally {
      // A file that is still being opened would be created after its deletion.
      if (!target.closed) await once(target, 'close');
    }
    // Browsers send a file without name and content for an empty field.
    if (target.bytesWritten === 0 && !part.filename) return;
    const filename = toDisplayName(part.filename ?? '');
    if (place >= limit.maxFiles) {
      const message = limit.maxFiles === 1 ? 'Choose one file only' : `Choose at most ${limit.maxFiles} files`;
      throw new AppError('too_many_files', { fields: [{ field: base, message }] });
    }
    if (part.file.truncated || target.bytesWritten > limit.maxBytes) {
      const message = `“${filename}” is larger than ${formatMegabytes(limit.maxBytes)}.`;
      throw new AppError('file_too_large', { fields: [{ field: fieldPath, message }] });
    }
    counts.set(base, place + 1);
    files.push({ field: base, fieldPath, filename, path, bytes: target.bytesWritten });
  }

  let received = 0;
  request.raw.on('data', (chunk: Buffer) => {
    received += chunk.length;
    // Parts have their own limits. This one ends a body without a Content-Length that never gets to a part.
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
      const existing = values.get(base);
      if (existing) existing.push(part.value);
      else values.set(base, [part.value]);
    }
  } catch (error) {
    // The rest is read and discarded, because a browser reads a response only after it has sent everything.
    request.raw.unpipe();
    request.raw.resume();
    await cleanup();
    throw toFormError(error, request.log);
  }
  const fields = [...values].map(([name, all]) => [name, lists.has(name) || all.length > 1 ? all : (all[0] ?? '')] as const);
  return { fields: Object.fromEntries(fields), files, cleanup };
}

/** Counts an upload until the function that it returns is called. Throws `too_many_uploads`. */
function startUpload({ raw, server, viewer, network }: FastifyRequest): () => void {
  const person = viewer?.id ?? network;
  // The machine itself, in the sandbox.
  if (person === null) return () => {};
  const change = (by: number) => {
    const count = (server.uploadsOf.get(person) ?? 0) + by;
    if (count === 0) server.uploadsOf.delete(person);
    else server.uploadsOf.set(person, count);
    return count;
  };
  const end = () => void change(-1);
  if (change(1) <= server.uploadsAtOnce) return end;
  end();
  raw.resume();
  throw new AppError('too_many_uploads');
}

/**
 * Reads the form of a call, validates its text fields and passes both to `work`; afterwards the temporary files are deleted. Throws what `readForm`
 * throws, `too_many_uploads`, and `invalid_input` for the text fields.
 */
export async function readCallForm<C extends { form: z.ZodObject; files: Readonly<Record<string, FileField>> }, Result>(
  request: FastifyRequest,
  call: C,
  work: (form: z.output<C['form']>, files: readonly UploadedFile[]) => Promise<Result>,
): Promise<Result> {
  // Any other body was parsed as JSON before, or rejected.
  if (!request.isMultipart()) return work(parseFields(call, request.body ?? {}), []);
  const endUpload = startUpload(request);
  try {
    const form = await readForm(request, call.files);
    try {
      return await work(parseFields(call, form.fields), form.files);
    } finally {
      await form.cleanup();
    }
  } finally {
    endUpload();
  }
}

function parseFields<C extends { form: z.ZodObject }>(call: C, fields: unknown): z.output<C['form']> {
  const { data, error } = call.form.safeParse(fields);
  if (!error) return data as z.output<C['form']>;
  throw new AppError('invalid_input', {
    fields: listFirstErrors(error.issues.map((issue) => ({ field: issue.path.map(String).join('.'), message: issue.message }))),
  });
}
