import type { Listing } from '@handwise/contract/listings/calls';
import { logoColors, maxServices } from '@handwise/contract/selling/form-rules';
import { completePhone, listingEdit, service } from '@handwise/contract/selling/forms';
import type { CountryCode } from '@handwise/contract/markets';
import { formatLocation } from '@handwise/contract/places/regions';
import { hasBaseForDistance, lacksBase, serviceAreaForm } from '@handwise/contract/listings/service-area';
import { toServiceAreaInput, toServiceAreaForm } from '@handwise/contract/listings/service-area-form';
import { line } from '@handwise/contract/text-fields';
import { z } from 'zod';
import { getFactStart } from '../fields/fact-form.ts';
import { factTexts, withFacts } from '../fields/fact-schema.ts';
import type { Photo } from '../fields/photo-rules.ts';

const { serviceTitle, businessTitle, businessEmailAddress, businessInfo, serviceDescription, serviceCategory, website, businessPhone } =
  listingEdit.shape;

const texts = z
  .object({
    serviceTitle,
    serviceCategory,
    serviceSubCategory: line().max(60),
    serviceDescription,
    businessTitle,
    businessEmailAddress,
    businessInfo,
    website: website.unwrap(),
    businessPhone: businessPhone.unwrap(),
    region: z.string().min(1, 'Location is required'),
    district: z.string(),
    ...serviceAreaForm,
    ...factTexts,
    services: z.array(service).min(1, 'At least one service is required').max(maxServices, `Use at most ${maxServices} services`),
  })
  // A missing district is an error only once a region is chosen, so that there is one message for the place.
  .refine(({ region, district }) => region === '' || district !== '', {
    path: ['district'],
    error: 'Location is required',
    when: () => true,
  })
  .refine(hasBaseForDistance, lacksBase);
export type EditForm = z.infer<typeof texts>;

/** The texts of the edit form, with the messages of its call. */
export const createEditForm = (country: CountryCode) =>
  withFacts<EditForm>(texts.refine(...completePhone<EditForm>(({ region }) => ({ country, region }))), country);

export const getEditStart = (listing: Listing): EditForm => ({
  serviceTitle: listing.serviceTitle,
  serviceCategory: listing.serviceCategory,
  serviceSubCategory: listing.serviceSubCategory ?? '',
  serviceDescription: listing.serviceDescription,
  businessTitle: listing.businessTitle,
  businessEmailAddress: listing.businessEmailAddress ?? '',
  businessInfo: listing.businessInfo,
  website: listing.website,
  businessPhone: listing.businessPhone ?? '',
  region: listing.region,
  district: listing.district,
  ...toServiceAreaForm(listing),
  ...getFactStart(listing),
  services: listing.services,
});

/** The stored photos, including those beyond the plan's limit. Their ids are their addresses. */
export const listStoredPhotos = ({ pictures, hiddenPictures = [] }: Listing): Photo[] =>
  [...pictures, ...hiddenPictures].map(({ src, srcSet, alt }) => ({ id: src, name: alt, src: srcSet.split(' ')[0] || src }));

/** A new logo file, or the letter on a colour; null leaves the stored logo. */
export type LogoChange = { file: File } | { color: string } | null;

export const getLogoColor = (listing: Listing) => logoColors.find((one) => one === listing.logoColor) ?? logoColors[0];

/** The edit as the call's input: photos in order, new ones by their index among the files. */
export function toEditInput(listing: Listing, values: EditForm, photos: readonly Photo[], logo: LogoChange) {
  const fresh = photos.flatMap((photo) => ('file' in photo ? [photo.file] : []));
  const { region, district, services, base, reach, serviceDistricts, ...texts } = values;
  return {
    params: { id: listing._id },
    form: {
      ...texts,
      services: services.join(','),
      ...toServiceAreaInput({ base, reach, serviceDistricts }),
      location: formatLocation({ district, region, country: listing.country }),
      serviceImageOrder: JSON.stringify(photos.map((photo) => ('file' in photo ? `new:${fresh.indexOf(photo.file)}` : photo.id))),
      ...(logo && 'color' in logo && { usingDefaultLogo: 'true' as const, defaultLogoColor: logo.color as (typeof logoColors)[number] }),
    },
    files: { serviceImages: fresh, logo: logo && 'file' in logo ? [logo.file] : [] },
  };
}
