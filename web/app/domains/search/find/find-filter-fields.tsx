import { count } from '@handwise/contract/numbers';
import { usualKm } from '@handwise/contract/search-filters';
import type { FindData } from './find-data.server.ts';
import styles from './find-filters.module.css';
import type { FindName, FindParams } from './find-params.ts';

type Choice = { value: string; name: string; total?: number };

const distances: readonly Choice[] = ['5', '10', '25', '50', '100', '200'].map((km) => ({ value: km, name: `${km} km` }));

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

const Check = ({ name, label, total, chosen }: { name: FindName; label: string; total: number; chosen: boolean }) =>
  total === 0 && !chosen ? null : (
    <label className={styles.check}>
      <input type="checkbox" name={name} value="1" defaultChecked={chosen} />
      <span>
        {label} <span className={styles.total}>({count(total)})</span>
      </span>
    </label>
  );

/** The fields of the form: choices that would leave nothing are not offered. */
export const FindFilterFields = ({ params, facets }: { params: FindParams; facets: FindData['facets'] }) => (
  <>
    <Select
      name="sort"
      label="Order"
      any="Recommended"
      chosen={params.sort}
      choices={[
        { value: 'rating', name: 'Best rated' },
        { value: 'newest', name: 'Newest' },
        ...(params.near ? [{ value: 'nearest', name: 'Nearest' }] : []),
      ]}
    />
    {params.near && <Select name="km" label="Within" choices={distances} chosen={params.km ?? String(usualKm)} />}
    {facets && (
      <>
        <Select
          name="minRating"
          label="Rating"
          any="Any"
          chosen={params.minRating}
          choices={facets.minRating.map(({ value, total }) => ({ value, name: `${value} and up`, total }))}
        />
        <Select
          name="maxPrice"
          label="Price from"
          any="Any"
          chosen={params.maxPrice}
          choices={facets.maxPrice.map(({ value, total }) => ({ value: String(value), name: `up to $${count(value)}`, total }))}
        />
        <Check name="verified" label="Verified" total={facets.verified} chosen={params.verified === '1'} />
        <Check name="photos" label="With photos" total={facets.photos} chosen={params.photos === '1'} />
        <Check name="replied" label="Answers within a day" total={facets.replied} chosen={params.replied === '1'} />
      </>
    )}
  </>
);
