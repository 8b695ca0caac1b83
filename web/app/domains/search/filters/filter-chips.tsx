import { IconX } from '@tabler/icons-react';
import styles from './filter-chips.module.css';
import type { KnownFilters } from './known-filters.ts';
import { placePath } from './known-filters.ts';
import type { ChangeFilters, Filters, Market } from './search-params.ts';
import { clearAll, isFiltered, withCategory, withSubCategory, withoutLocation, withoutText } from './search-params.ts';

type Chip = { name: string; kind: string; without: (now: Filters) => Filters };

function chipsOf(known: KnownFilters, market: Market): Chip[] {
  const { filters, categoryName, group, subCategory } = known;
  const place = market && !known.region ? '' : placePath(known);
  const chips: Chip[] = [
    { kind: 'category', name: categoryName, without: (now) => withCategory(now, '') },
    { kind: 'sub-category', name: subCategory?.name ?? '', without: (now) => withSubCategory(now, group?.slug ?? '', '') },
    { kind: 'title', name: filters.title && `“${filters.title}”`, without: withoutText },
    { kind: 'listing number', name: filters.listingNumber && `#${filters.listingNumber}`, without: withoutText },
    { kind: 'location', name: place, without: (now) => withoutLocation(now, market) },
  ];
  return chips.filter((chip) => chip.name !== '');
}

type FilterChipsProps = { known: KnownFilters; market: Market; onChange: ChangeFilters };

/** What the list is narrowed by, each to be taken away by itself. */
export function FilterChips({ known, market, onChange }: FilterChipsProps) {
  if (!isFiltered(known.filters, market)) return null;
  return (
    <div className={styles.row}>
      <ul className={styles.chips} aria-label="Active filters">
        {chipsOf(known, market).map(({ kind, name, without }) => (
          <li key={kind}>
            <button type="button" className={styles.chip} onClick={() => onChange(without)}>
              <span className="visually-hidden">Remove {kind} </span>
              <span className={styles.name}>{name}</span>
              <IconX size={16} stroke={1.75} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className={styles.clear} onClick={() => onChange(() => clearAll(market))}>
        Clear all filters
      </button>
    </div>
  );
}
