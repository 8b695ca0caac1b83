import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { FileStore } from './files/file-store.ts';
import type { StoredPdf, StoredPicture } from './files/stored-files.ts';

type Rows = readonly object[] | AsyncIterable<object>;

/** A person's data: lists, which may be long and are read lazily, and stored files. */
export type OwnData = { lists: Record<string, () => Promise<Rows> | Rows>; files?: readonly OwnFile[] };
/** `name` is the path in the archive. */
export type OwnFile = { name: string; key: string };

/** The largest WebP of a stored picture. */
export function toOwnPicture(folder: string, { key, widths }: Pick<StoredPicture, 'key' | 'widths'>): OwnFile {
  const file = `${key}-${Math.max(...widths)}.webp`;
  return { name: `pictures/${folder}/${file.split('/').at(-1)}`, key: file };
}

export const toOwnPdf = ({ key }: Pick<StoredPdf, 'key'>): OwnFile => ({ name: `files/messages/${key.split('/').at(-1)}`, key });

async function* streamJson(rows: () => Promise<Rows> | Rows): AsyncGenerator<string> {
  let before = '[\n';
  for await (const row of await rows()) {
    yield before + JSON.stringify(row, null, 2);
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

const about = `What we keep about you, as JSON files that people and programs can read. Times are in UTC. Amounts are in cents. Pictures are in the folder "pictures", PDFs of messages in "files"; a list that mentions one gives its name.
`;

/** A zip file of a person's data, generated while it is read. A file that was deleted meanwhile is an empty one. */
export function createDataArchive(store: FileStore, parts: readonly OwnData[], now: Date): NodeJS.ReadableStream {
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable;
  const abort = (error: Error) => void archive.destroy(error);
  zip.on('error', abort);
  let current: Readable | undefined;
  const openNext = async (open: () => Promise<Readable>, done: (error: null, stream: Readable) => void) => {
    try {
      // The library does not handle the stream's errors, which would end the process.
      current = (await open()).on('error', abort);
      done(null, current);
    } catch (error) {
      abort(error as Error);
    }
  };
  const add = (name: string, compress: boolean, open: () => Promise<Readable>) =>
    zip.addReadStreamLazy(name, { mtime: now, compress }, (done) => void openNext(open, done));
  zip.addBuffer(Buffer.from(about), 'README.txt', { mtime: now });
  for (const { lists } of parts)
    for (const [name, rows] of Object.entries(lists)) add(`${name}.json`, true, async () => Readable.from(streamJson(rows)));
  const files = new Map(parts.flatMap((one) => one.files ?? []).map((file) => [file.name, file]));
  for (const { name, key } of files.values()) add(name, false, async () => (await store.read(key)) ?? Readable.from([]));
  zip.end();
  // Closes the open file when the client disconnects.
  archive.on('close', () => current?.destroy());
  return archive;
}
