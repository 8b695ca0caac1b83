import { businessRegisters } from '@handwise/contract/registers/business-number';
import { formatDate } from '@handwise/contract/dates';
import { describeFacts } from '@handwise/contract/facts/facts';
import { formatPrice } from '@handwise/contract/facts/prices';
import type { Listing } from '@handwise/contract/listings/calls';

/** `kind` is the number's name. */
type Verified = {
  kind: string;
  register: string;
  number: string;
  name: string;
  date: string;
  page: string;
  sandbox: boolean;
  notMeant: string;
};

/** The facts on a listing's page that help customers decide. */
export type FactsView = {
  price: string | null;
  inTradeSince: number | null;
  /** What the business says, by name, in lines. */
  stated: readonly (readonly [name: string, text: string | readonly string[]])[];
  licence: {
    registerName: string;
    page: string;
    number: string;
    name: string;
    classWords: string | null;
    checkedOn: string | null;
    sandbox: boolean;
  } | null;
  withoutLicence: Listing['withoutLicence'];
  verified: readonly Verified[];
};

export const toFactsView = (listing: Listing): FactsView => ({
  price: listing.priceGuide && formatPrice(listing.priceGuide),
  inTradeSince: listing.inTradeSince,
  stated: describeFacts(listing).flatMap(({ name, detail }) => (detail === null ? [] : [[name, detail] as const])),
  licence: listing.licence && {
    ...listing.licence,
    checkedOn: listing.licence.checkedAt && formatDate(listing.licence.checkedAt, listing.timeZone),
  },
  withoutLicence: listing.withoutLicence,
  verified: listing.verified.map(({ register: code, registerName: register, number, name, date, page, sandbox, notMeant }) => ({
    kind: businessRegisters[code].number,
    register,
    number,
    name,
    date: formatDate(date, listing.timeZone),
    page,
    sandbox,
    notMeant,
  })),
});
