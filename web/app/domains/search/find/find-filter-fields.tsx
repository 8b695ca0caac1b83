import { count } from '@handwise/contract/numbers';
import { filterNames, searchFilters } from '@handwise/contract/search/filters';
import { distancesKm } from '../map/map-area.ts';
import type { FindData } from './find-data.ts';
import styles from './find-filters.module.css';
import type { FindName, FindParams } from './find-params.ts';

type Choice = { value: string; name: string; total?: number };

/** The distances that are offered, and the one of an address that is none of them. */
const distancesWith = (km: number): Choice[] =>
  [...new Set([...distancesKm, km])].toSorted((a, b) => a - b).map((one) => ({ value: String(one), name: `${one} km` }));

/** "4.5 and up (12)". What was chosen stays to be taken back, also where it leaves nothing. */
const shown = (choices: readonly Choice[], chosen: string | undefined) =>
  choices.filter(({ value, total }) => total !== 0 || value === chosen);

type SelectProps = { name: FindName; label: string; any?: string; choices: readonly Choice[]; chosen: string | undefined };

function Select({ name, label, any, choices, chosen }: SelectProps) {
  const left = shown(choices, chosen);
  if (left.length === 0) return null;
  return (
    <label className={styles.select}>
      <span>{label}</span>
      <select name={name} defaultValue={chosen ?? ''}>
        {any !== undefined && <option value="">{any}</option>}
        {left.map(({ value, name: text, total }) => (
          <option key={value} value={value}>
            {text}
            {total === undefined ? '' : ` (${count(total)})`}
          </option>
        ))}
      </select>
    </label>
  );
}

const Check = ({ name, label, total, chosen }: { name: FindName; label: string; total: number | undefined; chosen: boolean }) =>
  total === 0 && !chosen ? null : (
    <label className={styles.check}>
      <input type="checkbox" name={name} value="1" defaultChecked={chosen} />
      <span>
        {label} {total !== undefined && <span className={styles.total}>({count(total)})</span>}
      </span>
    </label>
  );

type FieldsProps = { params: FindParams } & Pick<FindData, 'facets'> & Pick<FindData['understood'], 'near'>;

/** The fields of the form, from the table of filters: choices that would leave nothing are not offered. */
export const FindFilterFields = ({ params, facets, near }: FieldsProps) => (
  <>
    <Select
      name="sort"
      label="Order"
      any="Recommended"
      chosen={params.sort}
      choices={[
        { value: 'rating', name: 'Best rated' },
        { value: 'newest', name: 'Newest' },
        ...(near ? [{ value: 'nearest', name: 'Nearest' }] : []),
      ]}
    />
    {near && <Select name="km" label="Within" choices={distancesWith(near.km)} chosen={String(near.km)} />}
    {filterNames.map((name) => {
      const filter = searchFilters[name];
      const counts = facets?.[name];
      if (filter.type === 'flag') {
        const total = typeof counts === 'number' ? counts : undefined;
        return <Check key={name} name={name} label={filter.label} total={total} chosen={params[name] === '1'} />;
      }
      const totals = Array.isArray(counts) ? new Map(counts.map(({ value, total }) => [String(value), total])) : undefined;
      const choices = filter.choices.map(String).map((value): Choice => {
        const total = totals?.get(value);
        return { value, name: filter.choiceLabel(value), ...(total !== undefined && { total }) };
      });
      return (
        <Select
          key={name}
          name={name}
          label={filter.label}
          any={`Any ${filter.label === 'Price from' ? 'price' : filter.label.toLowerCase()}`}
          chosen={params[name]}
          choices={choices}
        />
      );
    })}
  </>
);
