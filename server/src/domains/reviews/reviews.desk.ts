import { isId } from '@handwise/contract/ids';
import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { anywhere } from '../../kit/database/search-text.ts';

export type ReviewStatus = 'all' | 'published' | 'answered' | 'removed' | 'withdrawn';

type Wanted = {
  q: string | undefined;
  /** Whose reviews match as well. */
  authorIds: readonly string[];
  /** Reviews of which listings match as well. */
  listingIds: readonly string[];
  stars: number | undefined;
  status: ReviewStatus;
  skip: number;
  take: number;
  counted: number;
};

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`;
const shown = ['id', 'rating', 'comment', 'answer', 'created_at', 'removed_because', 'author_id', 'listing_id'] as const;

/** Reviews whatever became of them, the newest first; how many there are is counted up to `counted`. */
export async function searchForAdmin(db: Reader, { q, authorIds, listingIds, stars, status, skip, take, counted }: Wanted) {
  const wanted = db
    .selectFrom('reviews')
    .$if(q !== undefined, (query) => {
      const text = q ?? '';
      const part = anywhere(text);
      return query.where((is) =>
        is.or([
          ...(isId(text) ? [is('id', '=', text)] : []),
          ...(authorIds.length > 0 ? [is('author_id', '=', anyOf(authorIds))] : []),
          ...(listingIds.length > 0 ? [is('listing_id', '=', anyOf(listingIds))] : []),
          is('comment', 'ilike', part),
          is('answer', 'ilike', part),
        ]),
      );
    })
    .$if(stars !== undefined, (query) => query.where('rating', '=', stars ?? 0))
    .$if(status === 'published' || status === 'answered', (query) => query.where('removed_at', 'is', null))
    .$if(status === 'answered', (query) => query.where('answer', 'is not', null))
    .$if(status === 'removed' || status === 'withdrawn', (query) => query.where('removed_at', 'is not', null))
    .$if(status === 'removed', (query) => query.where('removed_because', '<>', 'withdrawn'))
    .$if(status === 'withdrawn', (query) => query.where('removed_because', '=', 'withdrawn'));
  const [rows, { total }] = await Promise.all([
    wanted.select(shown).orderBy('id', 'desc').offset(skip).limit(take).execute(),
    db
      .selectFrom(wanted.select('id').limit(counted).as('found'))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
export type DirectoryRow = Awaited<ReturnType<typeof searchForAdmin>>['rows'][number];
