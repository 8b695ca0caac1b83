import { markets } from '@handwise/contract/markets';
import { findCountry, findRegion, listRegions } from '@handwise/contract/places/regions';
import { useRootData } from '../../../lib/root-data.ts';
import styles from './find-filters.module.css';

/** The parts of a place in an address: empty if not chosen. */
export type ChosenPlace = { country: string; region: string; district: string };

type PlaceFieldsProps = { place: ChosenPlace; onChange: (place: ChosenPlace) => void };
type ChoiceProps = { label: string; value: string; any: string; disabled: boolean; options: readonly { slug: string; name: string }[] };

const Choice = ({ label, value, any, disabled, options, onChoose }: ChoiceProps & { onChoose: (value: string) => void }) => (
  <label className={styles.select}>
    <span>{label}</span>
    <select value={value} disabled={disabled} onChange={(event) => onChoose(event.target.value)}>
      <option value="">{any}</option>
      {options.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** Country, region, and district or city, each within the previous one. */
export function PlaceFields({ place: { country, region, district }, onChange }: PlaceFieldsProps) {
  const { market } = useRootData();
  const chosen = findRegion(region);
  const inCountry = market ?? chosen?.country ?? findCountry(country);
  return (
    <>
      {!market && (
        <Choice
          label="Country"
          value={inCountry ?? ''}
          any="Any country"
          disabled={false}
          options={Object.entries(markets).map(([code, { name }]) => ({ slug: code, name }))}
          onChoose={(next) => onChange({ country: next, region: '', district: '' })}
        />
      )}
      <Choice
        label="Region"
        value={chosen?.slug ?? ''}
        any={inCountry ? 'Any region' : 'Select a country first'}
        disabled={!inCountry}
        options={inCountry ? listRegions(inCountry) : []}
        onChoose={(next) => onChange({ country: market ? '' : (inCountry ?? ''), region: next, district: '' })}
      />
      <Choice
        label="District or city"
        value={district}
        any={chosen ? 'Any district or city' : 'Select a region first'}
        disabled={!chosen}
        options={chosen?.districts ?? []}
        onChoose={(next) => onChange({ country: '', region, district: next })}
      />
    </>
  );
}
