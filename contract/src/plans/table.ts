import { site } from '@handwise/contract/site/site';
import type { PlanType } from './calls.ts';

// Separate from the schemas in calls.ts, so that public pages load no Zod.

export const subscriptionDays = 30;

/** Days before the end at which sellers are warned. */
export const noticeDays = { first: 7, last: 1 };

type PriceName = `${PlanType}Price`;
type SlotsName = `${PlanType}Slots`;

const createPlan = (name: string, rank: number, photos: number, price: PriceName, slots: SlotsName) => ({
  name,
  rank,
  photos,
  get priceMinor() {
    return Math.round(Number(site[price]) * 100);
  },
  get slots() {
    return Number(site[slots]);
  },
});

/**
 * Cheapest first. `priceMinor` is in cents of the listing's currency, GST included; `slots` is the number of listings per subscription; a
 * higher `rank` comes first in search. Price and slots are settings of the site: never read them at the top of a module.
 */
export const plans = {
  basic: /* @__PURE__ */ createPlan('Basic', 1, 5, 'basicPrice', 'basicSlots'),
  premium: /* @__PURE__ */ createPlan('Premium', 2, 10, 'premiumPrice', 'premiumSlots'),
  featured: /* @__PURE__ */ createPlan('Featured', 3, 15, 'featuredPrice', 'featuredSlots'),
} satisfies Record<PlanType, { name: string; rank: number; priceMinor: number; slots: number; photos: number }>;

/** Whether a free month on this plan needs a saved card, which is what keeps it to one a person. */
export const freeMonthNeedsCard = (type: PlanType): boolean => type !== 'basic';

/** The lowest price in texts about all plans: "$15". */
export function formatFromPrice(): string {
  const dollars = Math.min(...Object.values(plans).map((plan) => plan.priceMinor)) / 100;
  return `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`;
}

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
