import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

// A Bloom filter in a file: of the passwords that it was made of it knows every one, of others it takes one in ten thousand for
// such a one. It is read where it lies, a byte for each probe, so that its size does not matter.

const magic = 'handwise breached 1\n';
const headerSize = 32;
const bitsEach = 19.2;
const probes = 13;

/** SHA-1 is what public lists of breached passwords come in. It hides nothing here. */
const sha1 = (password: string) => createHash('sha1').update(password).digest();

function* placesOf(hash: Buffer, bits: bigint): Generator<bigint> {
  const first = hash.readBigUInt64BE(0);
  const step = hash.readBigUInt64BE(8) | 1n;
  for (let probe = 0n; probe < probes; probe += 1n) yield (first + probe * step) % bits;
}

export type BreachedPasswords = { has: (password: string) => Promise<boolean>; close: () => Promise<void> };

/** Without a file none is known. Throws where there is no such file, or it is none of ours. */
export async function openBreachedPasswords(path: string | null): Promise<BreachedPasswords> {
  if (path === null) return { has: async () => false, close: async () => {} };
  const file = await open(path);
  const header = Buffer.alloc(headerSize);
  await file.read(header, 0, headerSize, 0);
  const bits = header.readBigUInt64BE(magic.length);
  const { size } = await file.stat();
  if (header.toString('latin1', 0, magic.length) !== magic || BigInt(size - headerSize) * 8n !== bits) {
    await file.close();
    throw new Error(`${path} is no filter of breached passwords: make one with npm run passwords:filter`);
  }
  const isSet = async (place: bigint) => {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, headerSize + Number(place >> 3n));
    return ((buffer[0] ?? 0) & (1 << Number(place & 7n))) !== 0;
  };
  return {
    async has(password) {
      for (const place of placesOf(sha1(password), bits)) if (!(await isSet(place))) return false;
      return true;
    },
    close: () => file.close(),
  };
}

const isHash = /^[\da-f]{40}(:\d+)?$/i;

async function* hashesOf(list: string): AsyncGenerator<Buffer> {
  for await (const line of createInterface({ input: createReadStream(list), crlfDelay: Infinity })) {
    if (isHash.test(line)) yield Buffer.from(line.slice(0, 40), 'hex');
    else if (line !== '') yield sha1(line);
  }
}

/**
 * Makes the filter of a public list: a password in each line, or its SHA-1 in hexadecimal with or without a count behind. The list
 * is read twice, and the filter stands in memory meanwhile: 2.4 bytes for each password. Gives how many there are.
 */
export async function makeBreachedFilter(list: string, to: string): Promise<number> {
  let count = 0;
  for await (const _ of hashesOf(list)) count += 1;
  const bytes = Math.max(8, Math.ceil((count * bitsEach) / 8));
  const bits = BigInt(bytes) * 8n;
  const filter = Buffer.alloc(headerSize + bytes);
  filter.write(magic, 'latin1');
  filter.writeBigUInt64BE(bits, magic.length);
  for await (const hash of hashesOf(list)) {
    for (const place of placesOf(hash, bits)) {
      const at = headerSize + Number(place >> 3n);
      filter[at] = (filter[at] ?? 0) | (1 << Number(place & 7n));
    }
  }
  // A server that reads the one before goes on reading that.
  await writeFile(`${to}.new`, filter);
  await rename(`${to}.new`, to);
  return count;
}
