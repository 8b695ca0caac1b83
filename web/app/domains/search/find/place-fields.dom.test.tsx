import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { renderPart } from '../../../lib/testing/document.tsx';
import { type ChosenPlace, PlaceFields } from './place-fields.tsx';

function show(start: ChosenPlace, market: 'NZ' | null = null) {
  const chosen: ChosenPlace[] = [];
  function Fields() {
    const [place, setPlace] = useState(start);
    return (
      <PlaceFields
        place={place}
        onChange={(next) => {
          chosen.push(next);
          setPlace(next);
        }}
      />
    );
  }
  return { chosen, ...renderPart(<Fields />, { root: { market } }) };
}
const field = (label: string) => screen.findByLabelText<HTMLSelectElement>(label);
const options = async (label: string) => [...(await field(label)).options].map(({ textContent }) => textContent);
const nowhere = { country: '', region: '', district: '' };

test('each choice of a place is within the one before, and changing one takes away what was within it', async () => {
  const { user, chosen } = show(nowhere);
  expect([(await field('Region')).disabled, (await field('District or city')).disabled]).toEqual([true, true]);
  expect(await options('Region')).toEqual(['Select a country first']);
  await user.selectOptions(await field('Country'), 'NZ');
  expect((await field('Region')).disabled).toBe(false);
  expect(await options('Region')).toContain('Waikato');
  expect(await options('Region')).not.toContain('Victoria');
  expect((await field('District or city')).disabled).toBe(true);
  await user.selectOptions(await field('Region'), 'waikato');
  expect(await options('District or city')).toContain('Taupō');
  await user.selectOptions(await field('District or city'), 'taupo');
  // A district is enough to know its country.
  expect((await field('Country')).value).toBe('NZ');
  await user.selectOptions(await field('Region'), 'otago');
  expect((await field('District or city')).value).toBe('');
  await user.selectOptions(await field('Region'), '');
  expect((await field('Country')).value).toBe('NZ');
  await user.selectOptions(await field('Country'), 'AU');
  expect(await options('Region')).toContain('Victoria');
  await user.selectOptions(await field('Country'), '');
  expect(chosen).toEqual([
    { country: 'NZ', region: '', district: '' },
    { country: 'NZ', region: 'waikato', district: '' },
    { country: '', region: 'waikato', district: 'taupo' },
    { country: 'NZ', region: 'otago', district: '' },
    { country: 'NZ', region: '', district: '' },
    { country: 'AU', region: '', district: '' },
    nowhere,
  ]);
});

test('the site of one country asks for no country, and adds none', async () => {
  const { user, chosen } = show({ country: '', region: 'waikato', district: 'taupo' }, 'NZ');
  expect((await field('District or city')).value).toBe('taupo');
  expect(screen.queryByLabelText('Country')).toBeNull();
  await user.selectOptions(await field('Region'), '');
  expect(await options('Region')).toContain('Any region');
  await user.selectOptions(await field('Region'), 'otago');
  expect(chosen).toEqual([nowhere, { country: '', region: 'otago', district: '' }]);
});
