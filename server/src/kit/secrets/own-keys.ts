import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../database/database.ts';

// A sandbox creates the keys that the environment lacks in files of DATA_DIR, and the database notes which ones it was used with. So a lost file
// is not replaced by a new key, which could neither read nor continue what the old one encrypted or signed.

type Given = { logKey: unknown; prizeKeys: unknown; accountKeys: unknown; dataDir: string };

/** `variable` takes the place of the file. */
export type OwnKeyFile = { path: string; name: string; variable: string };

export const listOwnKeyFiles = ({ logKey, prizeKeys, accountKeys, dataDir }: Given): OwnKeyFile[] =>
  [
    { given: logKey, name: 'log-key', variable: 'LOG_KEY' },
    { given: prizeKeys, name: 'prize-keys.json', variable: 'PRIZE_KEYS' },
    { given: accountKeys, name: 'account-keys.json', variable: 'ACCOUNT_KEYS' },
  ]
    .filter(({ given }) => given === null)
    .map(({ name, variable }) => ({ path: join(dataDir, name), name, variable }));

const hash = (key: string) => createHash('sha256').update(Buffer.from(key, 'base64')).digest();

/** Hashes of the keys in a file. Null if it is missing or damaged. */
function readFingerprints({ path, name }: OwnKeyFile): Buffer[] | null {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return name.endsWith('.json') ? Object.values(JSON.parse(text) as Record<string, string>).map(hash) : [hash(text)];
  } catch {
    return null;
  }
}

type KnownKey = { file: string; fingerprint: Buffer };

/** What is wrong with the files beside a database that knows these keys, a line for each. A damaged file is reported by whoever opens it. */
export function findKeyFaults(files: readonly OwnKeyFile[], known: readonly KnownKey[]): string[] {
  return files.flatMap((file) => {
    const expected = known.filter((one) => one.file === file.name);
    if (expected.length === 0) return [];
    const found = readFingerprints(file);
    if (found?.some((one) => expected.some(({ fingerprint }) => one.equals(fingerprint)))) return [];
    const fault = found === null ? 'is missing or damaged' : 'has another key';
    return `${file.path} ${fault}, and the database was used with the key that was in it. Nothing was changed. Put it back as it was. To go on without it, set ${file.variable} to a new key: what was encrypted or signed with the old one cannot be read or continued.`;
  });
}

/** Notes the keys that the database is used with from now on. */
export async function noteOwnKeys(db: Db, files: readonly OwnKeyFile[]): Promise<void> {
  const keys = files.flatMap((file) => (readFingerprints(file) ?? []).map((fingerprint) => ({ file: file.name, fingerprint })));
  if (keys.length === 0) return;
  await db
    .insertInto('own_keys')
    .values(keys)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
