import { findDistrict, findRegion, type Region, regions } from '@handwise/contract/places/regions';
import { maxServiceDistricts, offeredRadii, type ServiceAreaForm } from '@handwise/contract/listings/service-area-form';
import type { CountryCode } from '@handwise/contract/markets';
import { slug } from '@handwise/contract/text';
import { type ComponentProps, useId, useState, useEffect, useEffectEvent } from 'react';
import { SelectField, TextField } from '../../../ui/forms/form-field.tsx';
import styles from './service-area-fields.module.css';
import type { Town } from '@handwise/contract/listings/service-area';
import { ApiError } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { debounce } from '../../../lib/debounce.ts';

type FieldProps = { name: string; id: string; error?: string | undefined };

type ServiceAreaFieldsProps = {
  /** Where the listing is. */
  region: string;
  district: string;
  values: ServiceAreaForm;
  field: (name: 'base' | 'reach') => FieldProps & Partial<ComponentProps<'input'>>;
  onDistricts: (districts: string[]) => void;
  error: string | undefined;
};

/** Where a business is based and how far it travels, folded because it is optional. */
export function ServiceAreaFields({ region, district, values, field, onDistricts, error }: ServiceAreaFieldsProps) {
  const ofListing = findRegion(region);
  const isOffered = offeredRadii.some((radius) => String(radius) === values.reach) || values.reach === '' || values.reach === 'districts';
  // Only once: an emptied section must not fold while it is edited.
  const [open] = useState(values.base !== '' || values.reach !== '');
  return (
    <details className={styles.area} open={open}>
      <summary>
        Where you are based and how far you travel <span className={styles.optional}>(optional)</span>
      </summary>
      <div className={styles.fields}>
        <BaseField district={district} base={values.base} field={field('base')} />
        <SelectField label="How far you travel" {...(field('reach') as ComponentProps<'select'> & FieldProps)}>
          <option value="">I’d rather not say</option>
          {!isOffered && <option value={values.reach}>Up to {values.reach} km</option>}
          {offeredRadii.map((radius) => (
            <option key={radius} value={radius}>
              Up to {radius} km
            </option>
          ))}
          <option value="districts">To the districts I choose</option>
        </SelectField>
        {values.reach === 'districts' && ofListing && (
          <Districts region={ofListing} own={district} chosen={values.serviceDistricts} onChange={onDistricts} error={error} />
        )}
      </div>
    </details>
  );
}

type BaseFieldProps = { district: string; base: string; field: FieldProps & Partial<ComponentProps<'input'>> };

/** The town or suburb of the district that a business is based in, suggested as it is typed. */
function BaseField({ district, base, field }: BaseFieldProps) {
  const listId = useId();
  const bases = useBases(district, base);
  return (
    <>
      <TextField
        label="Town or suburb"
        optional
        hint={district ? `Where in ${district} you set out from, so that people near you find you.` : 'Choose your district first.'}
        autoComplete="off"
        list={listId}
        {...field}
      />
      <datalist id={listId}>
        {bases.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </datalist>
    </>
  );
}

type TownFieldProps = {
  /** Null until a country is chosen. */
  country: CountryCode | null;
  district: string;
  base: string;
  field: FieldProps & Partial<ComponentProps<'input'>>;
  onTown: (town: Town) => void;
};

/** A town or suburb of any district, which it fills in: chosen from the suggestions, or typed in full if only one place has that name. */
export function TownField({ country, district, base, field, onTown }: TownFieldProps) {
  const listId = useId();
  const towns = useTowns(country, base);
  const fill = (town: Town | undefined) => {
    if (town && (town.district !== district || town.base !== base)) onTown(town);
  };
  const fillFound = useEffectEvent(fill);
  useEffect(() => fillFound(findTown(towns, base, document.activeElement?.id !== field.id)), [towns, base, field.id]);
  return (
    <>
      <TextField
        label="Town or suburb"
        optional
        hint="It fills in your region and district, and people near you find you."
        autoComplete="off"
        list={listId}
        {...field}
        onBlur={(event) => {
          field.onBlur?.(event);
          fill(findTown(towns, base, true));
        }}
      />
      <datalist id={listId}>
        {towns.map(({ label }) => (
          <option key={label}>{label}</option>
        ))}
      </datalist>
    </>
  );
}

/** The town that a text names: by its label, or once the field is left by its name, if no other has it. */
export function findTown(towns: readonly Town[], text: string, isLeft: boolean): Town | undefined {
  const key = slug(text);
  const labelled = towns.find(({ label }) => slug(label) === key);
  if (labelled || !isLeft) return labelled;
  const [only, ...others] = towns.filter(({ name }) => slug(name) === key);
  return others.length === 0 ? only : undefined;
}

type DistrictsProps = {
  region: Region;
  own: string;
  chosen: readonly string[];
  onChange: (districts: string[]) => void;
  error: string | undefined;
};

function Districts({ region, own, chosen, onChange, error }: DistrictsProps) {
  const toggle = (name: string) => onChange(chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name]);
  const near = [region, ...listNeighbours(region)];
  // Distant districts chosen earlier stay listed, so that they can be removed.
  const far = chosen.filter((name) => !near.some((one) => findDistrict(name, [one])));
  return (
    <fieldset className={styles.districts} aria-describedby={error ? 'districts-error' : undefined}>
      <legend>Districts you travel to, at most {maxServiceDistricts}</legend>
      {error && (
        <p className={styles.error} id="districts-error">
          {error}
        </p>
      )}
      {near.map(({ slug, name, districts }) => (
        <div key={slug}>
          <p className={styles.region}>{name}</p>
          <ul className={styles.choices}>
            {districts.map((one) => (
              <li key={one.slug}>
                <Choice
                  name={one.name}
                  checked={one.name === own || chosen.includes(one.name)}
                  fixed={one.name === own}
                  onToggle={toggle}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {far.length > 0 && (
        <ul className={styles.choices}>
          {far.map((name) => (
            <li key={name}>
              <Choice name={name} checked fixed={false} onToggle={toggle} />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}

type ChoiceProps = {
  name: string;
  checked: boolean;
  /** True for the listing's own district, which is always chosen. */ fixed: boolean;
  onToggle: (name: string) => void;
};

const Choice = ({ name, checked, fixed, onToggle }: ChoiceProps) => (
  <label className={styles.choice}>
    <input type="checkbox" checked={checked} disabled={fixed} onChange={() => onToggle(name)} />
    {name}
  </label>
);

// Neighbouring regions by code, each pair once.
const borders: readonly (readonly [number, number])[] = [
  [1, 2],
  [2, 3],
  [3, 4],
  [3, 6],
  [3, 7],
  [3, 8],
  [4, 5],
  [4, 6],
  [5, 6],
  [6, 8],
  [7, 8],
  [8, 9],
  [10, 11],
  [10, 12],
  [10, 13],
  [10, 14],
  [11, 12],
  [12, 14],
  [13, 14],
  [13, 15],
  [13, 16],
  [14, 15],
  [15, 16],
  [17, 18],
  [17, 19],
  [17, 20],
  [17, 24],
  [18, 20],
  // Across Bass Strait.
  [18, 22],
  [19, 20],
  [19, 23],
  [20, 21],
  [20, 23],
  [21, 23],
];

/** The neighbours of a region, in the order of the list. */
export const listNeighbours = ({ code }: Region): Region[] =>
  regions.filter((other) => borders.some(([one, two]) => (one === code && two === other.code) || (two === code && one === other.code)));

const fetchBases = (district: string, begins: string, signal?: AbortSignal) =>
  call('GET /listing/bases', { query: { district, begins } }, signal);

// The pause in typing before a request.
const pauseMs = 150;

/**
 * The district's towns and suburbs that start with the typed text. Earlier ones stay until new ones load, so that the list does not
 * flicker.
 */
function useBases(district: string, typed: string): readonly string[] {
  const [bases, setBases] = useState<readonly string[]>([]);
  const begins = typed.trim().slice(0, 80);
  useEffect(() => {
    if (!district) return undefined;
    return debounce(pauseMs, (signal) => {
      fetchBases(district, begins, signal).then(
        (found) => setBases(found.bases),
        // The field accepts any text without suggestions.
        () => {},
      );
    });
  }, [district, begins]);
  return bases;
}

/** The towns and suburbs that start with the typed text; earlier ones stay until new ones load. */
function useTowns(country: CountryCode | null, typed: string): readonly Town[] {
  const [towns, setTowns] = useState<readonly Town[]>([]);
  const begins = typed.split(',', 1).join('').trim().slice(0, 80);
  useEffect(() => {
    if (begins.length < 2) return undefined;
    return debounce(pauseMs, (signal) => {
      const query = { begins, ...(country && { country }) };
      call('GET /listing/towns', { query }, signal).then(
        (found) => setTowns(found.towns),
        // The region and district can be chosen without suggestions.
        () => {},
      );
    });
  }, [country, begins]);
  return towns;
}

/** Throws `ApiError` for the field if the district has no such base. If this call fails, publishing the listing checks it again. */
export async function checkBase(district: string, base: string): Promise<void> {
  if (base.trim() === '') return;
  const found = await fetchBases(district, base.trim()).catch(() => null);
  if (!found || found.named !== null) return;
  const message = `There is no such town or suburb in ${district}`;
  throw new ApiError(400, 'invalid_input', message, [{ field: 'base', message }]);
}
