import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import type { Tx } from '../../kit/database/database.ts';

/** Brings the tables of places and categories to what the contract says. Codes are never removed: listings may hold them. */
export async function syncReferenceData(tx: Tx): Promise<void> {
  const districts = regions.flatMap((region) =>
    region.districts.map(({ code, name }) => ({ code, name, region_code: region.code, region_name: region.name, country: region.country })),
  );
  await tx
    .insertInto('districts')
    .values(districts)
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name'), region_name: ref('excluded.region_name') })),
    )
    .execute();
  await tx
    .insertInto('categories')
    .values(categories.map(({ code, name, mainCategory }) => ({ code, name, main_category: mainCategory })))
    .onConflict((conflict) => conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name') })))
    .execute();
  await tx
    .insertInto('sub_categories')
    .values(
      categories.flatMap((category) => category.subCategories.map(({ code, name }) => ({ code, name, category_code: category.code }))),
    )
    .onConflict((conflict) => conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name') })))
    .execute();
}
