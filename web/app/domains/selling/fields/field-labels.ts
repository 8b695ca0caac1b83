import { type FactName, facts } from '@handwise/contract/facts/facts';
import type { listingEdit, listingForm } from '@handwise/contract/selling/forms';
import type { z } from 'zod';

type Field = keyof z.input<typeof listingForm> | keyof z.input<typeof listingEdit> | 'serviceImages' | 'logo';
/** Fields that the browser fills in and sellers do not see. */
type Unseen = 'submissionId' | 'submissionTimestamp' | 'isUsingExistingSubscription' | 'defaultLogoText' | 'serviceImageOrder';

const factLabels = Object.fromEntries(Object.entries(facts).map(([name, { label }]) => [name, label])) as Record<FactName, string>;

/** The forms' labels for the API's fields. */
export const fieldLabels = {
  serviceTitle: 'Title',
  serviceDescription: 'Description',
  serviceCategory: 'Category',
  serviceSubCategory: 'Sub-category',
  services: 'Services',
  serviceImages: 'Photos',
  servicePlan: 'Plan',
  paymentId: 'Payment',
  businessTitle: 'Business name',
  businessEmailAddress: 'Business email',
  businessInfo: 'About your business',
  website: 'Website',
  businessPhone: 'Business phone',
  location: 'Location',
  base: 'Town or suburb',
  serviceRadiusKm: 'Distance',
  serviceDistricts: 'Districts',
  logo: 'Logo',
  defaultLogoColor: 'Logo',
  usingDefaultLogo: 'Logo',
  ...factLabels,
} as const satisfies Record<Exclude<Field, Unseen>, string>;
