import { sql } from 'kysely';
import { prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { levelsOf, subCodesOf, valuesOf } from '../orders/search.lists.queries.ts';
import type { ListingFilter } from '../search.rules.ts';

/** How many active listings of these services each district has, where it has any. */
export const countByDistrict = (db: Reader, { category }: Pick<ListingFilter, 'category'>) => {
  const filter = category ? { category } : {};
  const form = `search.districts ${levelsOf(filter)} ${subCodesOf(filter).length}`;
  return runForm(db, form, valuesOf(filter), (reader) =>
    reader
      .selectFrom('listing_counts')
      .modifyFront(prepared)
      .select('district_code as code')
      .select(({ cast, fn }) => cast<number>(fn.sum('listings'), 'integer').as('total'))
      .where((eb) => {
        if (category?.level === 'main') return eb('main_category', '=', category.main);
        if (category?.level === 'group') return eb('category_code', '=', category.code);
        return category ? eb('sub_category_code', 'in', category.codes) : eb.and([]);
      })
      .groupBy('district_code')
      .having(({ fn }) => fn.sum('listings'), '>', sql.lit(0)),
  );
};
