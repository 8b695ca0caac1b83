import type { CountryCode } from '@handwise/contract/markets';
import { markets } from '@handwise/contract/markets';
import { findRegion, listRegions } from '@handwise/contract/places/regions';
import { isCountryOpen } from '@handwise/contract/site/open';
import { SelectField } from '../../../ui/forms/form-field.tsx';

/** Region and district by name; empty if not chosen. */
type Place = { country: CountryCode | ''; region: string; district: string };

type LocationFieldsProps = {
  /** The country that the host is fixed to, or null if visitors choose. */
  market: CountryCode | null;
  value: Place;
  onChange: (place: Place) => void;
  errorOf: (field: keyof Place) => string | undefined;
};

// The chosen one stays, because an edited listing may run in a closed country.
const openCountries = (chosen: string) => Object.entries(markets).filter(([code]) => code === chosen || isCountryOpen(code as CountryCode));

/** Country, region and district, each within the previous one. Changing one clears those after it. */
export function LocationFields({ market, value, onChange, errorOf }: LocationFieldsProps) {
  const country = market ?? value.country;
  const region = findRegion(value.region);
  return (
    <>
      <SelectField
        label="Country"
        name="country"
        autoComplete="off"
        value={country}
        disabled={market !== null}
        error={errorOf('country')}
        onChange={(event) => onChange({ country: event.target.value as Place['country'], region: '', district: '' })}
      >
        {!country && <option value="">Choose a country</option>}
        {openCountries(value.country).map(([code, { name }]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Region"
        name="region"
        autoComplete="off"
        value={value.region}
        disabled={!country}
        error={errorOf('region')}
        onChange={(event) => onChange({ country, region: event.target.value, district: '' })}
      >
        <option value="">{country ? 'Choose a region' : 'Select a country first'}</option>
        {country &&
          listRegions(country).map(({ slug, name }) => (
            <option key={slug} value={name}>
              {name}
            </option>
          ))}
      </SelectField>
      <SelectField
        label="District or city"
        name="district"
        autoComplete="off"
        value={value.district}
        disabled={!region}
        error={errorOf('district')}
        onChange={(event) => onChange({ country, region: value.region, district: event.target.value })}
      >
        <option value="">{region ? 'Choose a district or city' : 'Select a region first'}</option>
        {region?.districts.map(({ slug, name }) => (
          <option key={slug} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}
