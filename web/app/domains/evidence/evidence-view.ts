import { businessRegisters } from '@handwise/contract/evidence/business-number';
import { formatDate } from '@handwise/contract/dates';
import { describeFacts } from '@handwise/contract/evidence/facts';
import { formatPrice } from '@handwise/contract/evidence/words';
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
export type EvidenceView = {
  price: string | null;
  inTradeSince: number | null;
  /** What the business says, by name, in lines. */
  facts: readonly (readonly [name: string, text: string | readonly string[]])[];
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

export const toEvidenceView = (listing: Listing): EvidenceView => ({
  price: listing.priceGuide && formatPrice(listing.priceGuide),
  inTradeSince: listing.inTradeSince,
  facts: describeFacts(listing).flatMap(({ name, detail }) => (detail === null ? [] : [[name, detail] as const])),
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
