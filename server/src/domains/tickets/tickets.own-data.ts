import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { listEntriesOf } from './tickets.entries.ts';

/** Somebody's tickets in every draw. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: { tickets: () => listEntriesOf(db, userId) },
  pictures: [],
});
