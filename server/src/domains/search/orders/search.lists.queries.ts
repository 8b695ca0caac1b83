import { type ExpressionBuilder, sql } from 'kysely';
import type { DB } from '../../../kit/database/database.generated.ts';
import { prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { cardColumns } from '../../listings/listings.service.ts';
import type { ListingFilter } from '../search.rules.ts';

export type Page = { skip: number; take: number };

// Written out, not a parameter: only then do the indexes of active listings serve.
export const active = sql.lit('active' as const);

export const subCodesOf = ({ category }: ListingFilter) => (category?.level === 'sub' ? category.codes : [undefined]);

// Facets are written as `column = value`, never `column = any(…)`: only then does an index give the list's order.
export const matching =
  ({ place, category }: ListingFilter, subCode?: number) =>
  (eb: ExpressionBuilder<DB, 'listings'>) => {
    const parts = [eb('status', '=', active)];
    if (place?.level === 'country') parts.push(eb('country', '=', place.country));
    if (place?.level === 'region') parts.push(eb('region_code', '=', place.code));
    if (place?.level === 'district') parts.push(eb('district_code', '=', place.code));
    if (place?.level === 'town') parts.push(eb('base_cell', '=', place.code));
    if (category?.level === 'main') parts.push(eb('main_category', '=', category.main));
    if (category?.level === 'group') parts.push(eb('category_code', '=', category.code));
    if (category?.level === 'sub' && subCode !== undefined) parts.push(eb('sub_category_code', '=', subCode));
    return eb.and(parts);
  };

// How the conditions of a filter read, and the values in them.
export const levelsOf = ({ place, category }: ListingFilter) => `${place?.level ?? '-'} ${category?.level ?? '-'}`;
export const valuesOf = ({ place, category }: ListingFilter) => [
  ...(!place ? [] : place.level === 'country' ? [place.country] : [place.code]),
  ...(!category ? [] : category.level === 'main' ? [category.main] : category.level === 'group' ? [category.code] : category.codes),
];

export const selectKeys = (db: Reader) => db.selectFrom('listings').select('sort_key');
const selectCards = (db: Reader) => db.selectFrom('listings').modifyFront(prepared).select(cardColumns);

type Keys = ReturnType<typeof selectKeys>;

// A sub-category's name can belong to two groups: the lists of both are merged in order.
function merged(db: Reader, legs: readonly Keys[], direction: 'asc' | 'desc') {
  const [first, ...others] = legs.map((leg) => db.selectFrom(leg.as('leg')).select('sort_key'));
  if (!first) throw new Error('no list to take a page of');
  return others.reduce((all, leg) => all.unionAll(leg), first).orderBy('sort_key', direction);
}

// The keys come from the index alone, and only the page's own rows are read.
export const selectPage = (db: Reader, legs: readonly Keys[], direction: 'asc' | 'desc', page: Page) =>
  selectCards(db)
    .where('sort_key', 'in', merged(db, legs, direction).offset(page.skip).limit(page.take))
    .orderBy('sort_key', 'desc');

// So many skipped rows are cheaper read whole than looked up by their keys afterwards.
const fewRows = 200;

/** One page of a filtered list. `fromEnd` counts the skipped rows from the list's end, for pages of its second half. */
export function listPage(db: Reader, filter: ListingFilter, page: Page & { fromEnd: boolean }) {
  const codes = subCodesOf(filter);
  if (codes.length === 1 && !page.fromEnd && page.skip <= fewRows) {
    return runForm(db, `search.page ${levelsOf(filter)}`, [...valuesOf(filter), page.take, page.skip], (reader) =>
      selectCards(reader).where(matching(filter, codes[0])).orderBy('sort_key', 'desc').offset(page.skip).limit(page.take),
    );
  }
  const direction = page.fromEnd ? 'asc' : 'desc';
  const legs = codes.map((code) =>
    selectKeys(db)
      .where(matching(filter, code))
      .orderBy('sort_key', direction)
      .limit(page.skip + page.take),
  );
  return selectPage(db, legs, direction, page).execute();
}

/** The exact number of active listings of a filter. */
export async function countListings(db: Reader, filter: ListingFilter): Promise<number> {
  const { place, category } = filter;
  const form = `search.count ${levelsOf(filter)} ${subCodesOf(filter).length}`;
  const [counted] = await runForm(db, form, valuesOf(filter), (reader) =>
    reader
      .selectFrom('listing_counts')
      .modifyFront(prepared)
      .select(({ cast, fn, lit }) => cast<number>(fn.coalesce(fn.sum('listings'), lit(0)), 'integer').as('total'))
      .where((eb) => {
        const parts = [];
        if (place?.level === 'country') parts.push(eb('country', '=', place.country));
        if (place?.level === 'region') parts.push(eb('region_code', '=', place.code));
        if (place?.level === 'district') parts.push(eb('district_code', '=', place.code));
        if (category?.level === 'main') parts.push(eb('main_category', '=', category.main));
        if (category?.level === 'group') parts.push(eb('category_code', '=', category.code));
        if (category?.level === 'sub') parts.push(eb('sub_category_code', 'in', category.codes));
        return eb.and(parts);
      }),
  );
  return counted?.total ?? 0;
}

export const findByNumber = (db: Reader, listingNumber: number, filter: ListingFilter) =>
  db
    .selectFrom('listings')
    .select(cardColumns)
    .where('listing_number', '=', listingNumber)
    .where((eb) => eb.or(subCodesOf(filter).map((code) => matching(filter, code)(eb))))
    .execute();
