import { fold, slug } from '../text.ts';

// No schema, because pages that list categories would load the schema library.
export const mainCategories = ['domestic', 'trade', 'other'] as const;
export type MainCategory = (typeof mainCategories)[number];

export type SubCategory = { code: number; name: string; slug: string };
export type Category = { code: number; name: string; slug: string; mainCategory: MainCategory; subCategories: readonly SubCategory[] };

// Codes are stored in the database: append, never renumber. A sub-category's code is its group's × 100 + its position.
const createCategory = (code: number, main: MainCategory, name: string, subCategories: string[]): Category => ({
  code,
  name,
  slug: slug(name),
  mainCategory: main,
  subCategories: subCategories.map((sub, index) => ({ code: code * 100 + index + 1, name: sub, slug: slug(sub) })),
});

export const categories: readonly Category[] = [
  createCategory(1, 'domestic', 'Cleaning', ['Residential', 'Commercial', 'Deep cleaning', 'Window cleaning']),
  createCategory(2, 'domestic', 'Home Improvement', [
    'Home security',
    'Appliance repairs',
    'Home organization',
    'Pest control',
    'Painting',
  ]),
  createCategory(3, 'trade', 'Alarm & Security', ['Home security', 'Alarm monitoring', 'Security cameras', 'Smart home systems']),
  createCategory(4, 'trade', 'Building & Construction', [
    'General contractor',
    'Residential',
    'Commercial',
    'Renovation & remodeling',
    'Custom homes',
    'Demolition',
  ]),
  createCategory(5, 'trade', 'Electrical & Gas', ['Electricians', 'Gas fitting', 'Appliance repairs']),
  createCategory(6, 'trade', 'Plumbing', [
    'Residential plumbing',
    'Commercial plumbing',
    'Emergency plumbing',
    'Pipe repairs',
    'Drain cleaning',
    'Water heater services',
  ]),
  createCategory(7, 'trade', 'Roofing', ['Roofing']),
  createCategory(8, 'trade', 'Painting', ['Painting & plastering']),
  createCategory(9, 'trade', 'Window & Glazing', ['Window cleaning', 'Window installation', 'Glass repairs']),
  createCategory(10, 'trade', 'Concrete & Driveways', ['Landscaping', 'Concrete work', 'Fencing & gates', 'Carpentry']),
  createCategory(11, 'other', 'Landscape & Lawn Maintenance', [
    'Lawn maintenance',
    'Tree services',
    'Irrigation & sprinkler systems',
    'Landscaping',
    'Garden installations',
  ]),
  createCategory(12, 'other', 'Handyman', ['Minor home repairs', 'Furniture assembly', 'General maintenance']),
];

export const mainCategoryNames = { domestic: 'Domestic', trade: 'Trade', other: 'Other' } as const satisfies Record<MainCategory, string>;

const browseOrder = [12, 4, 6, 5, 7, 8, 9, 10, 3, 1, 11];
/** The categories of the carousel, in its order. */
export const browseCategories: readonly Category[] = browseOrder.flatMap((code) => categories.filter((one) => one.code === code));

const categoryByCode = new Map(categories.map((one) => [one.code, one]));
const subCategoryByCode = new Map(categories.flatMap((one) => one.subCategories).map((sub) => [sub.code, sub]));
const categoryByText = new Map(
  categories.flatMap(
    (one) =>
      [
        [fold(one.name), one],
        [one.slug, one],
      ] as const,
  ),
);

export const findCategoryByCode = (code: number) => categoryByCode.get(code);
/** The code of the group that a sub-category belongs to. */
export const getGroupCode = (subCode: number) => Math.floor(subCode / 100);
export const findSubCategoryByCode = (code: number) => subCategoryByCode.get(code);

/** Finds a group by its name or slug, whatever the case. */
export const findCategory = (text: string) => categoryByText.get(fold(text.trim()));

/** Finds sub-categories by name or slug: several groups may have one of the same name. */
export function findSubCategories(text: string, within?: Category | MainCategory): readonly SubCategory[] {
  const wanted = fold(text.trim());
  return categories
    .filter((one) => within === undefined || one === within || one.mainCategory === within)
    .flatMap((one) => one.subCategories)
    .filter((sub) => fold(sub.name) === wanted || sub.slug === wanted);
}
