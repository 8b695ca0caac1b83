import { categories, mainCategory, mainCategoryNames } from '@handwise/contract/categories';
import { markets } from '@handwise/contract/markets';
import { regionsOf } from '@handwise/contract/places';
import { type ReactNode, useId } from 'react';
import styles from './filter-fields.module.css';
import type { KnownFilters } from './known-filters.ts';
import type { ChangeFilters, Market } from './search-params.ts';
import { withCategory, withCountry, withDistrict, withRegion, withSort, withSubCategory } from './search-params.ts';

type ChoiceProps = { label: string; value: string; disabled?: boolean; onChoose: (value: string) => void; children: ReactNode };

function Choice({ label, value, disabled = false, onChoose, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} disabled={disabled} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </div>
  );
}

const Options = ({ of }: { of: readonly { slug: string; name: string }[] }) =>
  of.map(({ slug, name }) => (
    <option key={slug} value={slug}>
      {name}
    </option>
  ));

type FilterFieldsProps = { known: KnownFilters; market: Market; onChange: ChangeFilters };

/** Category, sub-category, place and order. In a row where there is room, below each other in the sheet. */
export const FilterFields = ({ known, market, onChange }: FilterFieldsProps) => {
  const { filters, group, country, region, mayBeBest } = known;
  return (
    <div className={styles.fields}>
      <Choice label="Category" value={filters.category} onChoose={(category) => onChange((now) => withCategory(now, category))}>
        <option value="">All categories</option>
        {mainCategory.options.map((main) => (
          <optgroup key={main} label={mainCategoryNames[main]}>
            <option value={main}>All {mainCategoryNames[main].toLowerCase()} services</option>
            <Options of={categories.filter((one) => one.mainCategory === main)} />
          </optgroup>
        ))}
      </Choice>
      {group && (
        <Choice
          label="Sub-category"
          value={filters.subCategory}
          onChoose={(sub) => onChange((now) => withSubCategory(now, group.slug, sub))}
        >
          <option value="">All of {group.name}</option>
          <Options of={group.subCategories} />
        </Choice>
      )}
      <Choice
        label="Country"
        value={country ?? ''}
        disabled={market !== null}
        onChoose={(code) => onChange((now) => withCountry(now, code))}
      >
        {!market && <option value="">Any country</option>}
        {Object.entries(markets).map(([code, { name }]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label="Region" value={filters.region} disabled={!country} onChoose={(slug) => onChange((now) => withRegion(now, slug))}>
        <option value="">{country ? 'Any region' : 'Select a country first'}</option>
        {country && <Options of={regionsOf(country)} />}
      </Choice>
      <Choice
        label="District or city"
        value={filters.district}
        disabled={!region}
        onChoose={(slug) => onChange((now) => withDistrict(now, slug))}
      >
        <option value="">{region ? 'Any district or city' : 'Select a region first'}</option>
        {region && <Options of={region.districts} />}
      </Choice>
      {mayBeBest && (
        <Choice label="Order" value={filters.sort} onChoose={(sort) => onChange((now) => withSort(now, sort === 'best' ? 'best' : ''))}>
          <option value="">Featured first</option>
          <option value="best">Best</option>
        </Choice>
      )}
    </div>
  );
};
