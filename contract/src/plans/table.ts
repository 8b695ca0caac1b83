import type { PlanType } from './calls.ts';

// Separate from the schemas in calls.ts, so that public pages load no Zod.

export const subscriptionDays = 30;

/** Days before the end at which sellers are warned. */
export const noticeDays = { first: 7, last: 1 };

/**
 * Cheapest first. `priceMinor` is in cents of the listing's currency, GST included; `slots` is the number of listings per subscription; a
 * higher `rank` comes first in search.
 */
export const plans = {
  basic: { name: 'Basic', rank: 1, priceMinor: 1500, slots: 1, photos: 5 },
  premium: { name: 'Premium', rank: 2, priceMinor: 2500, slots: 5, photos: 10 },
  featured: { name: 'Featured', rank: 3, priceMinor: 3500, slots: 10, photos: 15 },
} as const satisfies Record<PlanType, { name: string; rank: number; priceMinor: number; slots: number; photos: number }>;

/** Whether a free month on this plan needs a saved card, which is what keeps it to one a person. */
export const freeMonthNeedsCard = (type: PlanType): boolean => type !== 'basic';

/** The lowest price in texts about all plans: "$15". */
export const fromPrice = `$${Math.min(...Object.values(plans).map((plan) => plan.priceMinor)) / 100}`;

const visibility: Record<PlanType, { search: string; more?: string }> = {
  basic: { search: 'Basic search visibility' },
  premium: { search: 'Higher ranking in search', more: 'Highlighted listing' },
  featured: { search: 'Top placement in search', more: 'Featured on the homepage' },
};

/** The features of a plan, in comparison order. */
export function listFeatures(type: PlanType): string[] {
  const { photos, slots } = plans[type];
  const { search, more } = visibility[type];
  return [search, `Up to ${photos} photos`, slots === 1 ? '1 listing' : `Up to ${slots} listings`, ...(more ? [more] : [])];
}
