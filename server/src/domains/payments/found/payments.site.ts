import type { Reader } from '../../../kit/database/database.ts';
import { findSite } from './payments.found.queries.ts';

/** Which site an intent belongs to, as its metadata says: others may take payments with the same account. Asked of the database once. */
export function openSite(db: Reader): () => Promise<string> {
  let asked: Promise<string> | undefined;
  return () => {
    asked ??= findSite(db).then((site) => site.id);
    asked.catch(() => (asked = undefined));
    return asked;
  };
}
