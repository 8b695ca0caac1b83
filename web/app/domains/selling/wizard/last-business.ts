import { logoColors } from '@handwise/contract/selling/form-rules';
import { findDistrict } from '@handwise/contract/places/regions';
import { useQuery } from '@tanstack/react-query';
import { getFactStart, withoutPrices } from '../fields/fact-form.ts';
import { call } from '../../../lib/api.ts';
import type { Draft } from './wizard-checks.ts';

type KnownBusiness = Pick<Draft, 'business' | 'facts' | 'logoColor'> & { logo: File | null };

/** Downloads the stored logo as a file for the next listing; null if that fails. */
async function logoFile(path: string, signal: AbortSignal): Promise<File | null> {
  if (path === '') return null;
  const answer = await fetch(path, { signal }).catch(() => null);
  if (!answer?.ok) return null;
  const content = await answer.blob();
  return new File([content], path.split('/').at(-1) ?? 'logo', { type: content.type });
}

/** The business of the member's newest listing, for step 1. Null without one. */
async function lastBusiness(signal: AbortSignal): Promise<KnownBusiness | null> {
  const { listings } = await call('GET /listing/mylistings', { query: { limit: '1' } }, signal);
  const newest = listings[0];
  if (!newest) return null;
  const listing = await call('GET /listing/:id', { params: { id: newest._id } }, signal);
  return {
    business: {
      businessName: listing.businessTitle,
      businessEmail: listing.businessEmailAddress ?? '',
      country: listing.country,
      region: findDistrict(listing.district)?.region.name ?? listing.region,
      district: listing.district,
      services: listing.services.join(', '),
      aboutBusiness: listing.businessInfo,
      website: listing.website,
      businessPhone: listing.businessPhone ?? '',
    },
    facts: withoutPrices(getFactStart(listing)),
    logoColor: logoColors.find((color) => color === listing.logoColor) ?? logoColors[0],
    logo: await logoFile(listing.logo, signal),
  };
}

/** The seller's known business, so that it need not be typed again. */
export const useLastBusiness = (userId: string | undefined, enabled: boolean) =>
  useQuery({ queryKey: ['last-business', userId], queryFn: ({ signal }) => lastBusiness(signal), enabled, retry: false });
