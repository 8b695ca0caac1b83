import { businessRegisters } from '@handwise/contract/evidence/business-number';
import { formatDate } from '@handwise/contract/dates';
import { formatHours } from '@handwise/contract/evidence/hours';
import { formatLicenceCheck, formatWithoutLicence } from '@handwise/contract/evidence/licences';
import { formatPrice } from '@handwise/contract/evidence/words';
import { formatAvailability } from '@handwise/contract/listings/availability';
import type { Listing, ListingCard } from '@handwise/contract/listings/calls';

/** The facts on a card: the price guide, with its fees apart, then a few words each. */
export type CardFactTexts = {
  price: string | null;
  fees?: string;
  availability?: string | null;
  verified: string | null;
  licence?: string | null;
  others: readonly string[];
};

/** "From $95 per hour" and "call-out $60, minimum charge $120", or the fees as the price if there is no other. */
function toPriceTexts(guide: NonNullable<ListingCard['priceGuide']>): Pick<CardFactTexts, 'price' | 'fees'> {
  const whole = formatPrice(guide);
  const price = formatPrice({ ...guide, callOut: null, minimumCharge: null });
  return price ? { price, fees: whole.slice(price.length).replace(/^, /, '') } : { price: whole };
}

export const toCardFacts = ({
  priceGuide,
  availability,
  verified,
  emergency,
  answering,
  inTradeSince,
  licence,
}: ListingCard): CardFactTexts => ({
  ...(priceGuide ? toPriceTexts(priceGuide) : { price: null }),
  availability: availability && formatAvailability(availability),
  verified: verified.length === 0 ? null : verified.some((one) => one.sandbox) ? 'Verified (sandbox)' : 'Verified',
  licence: licence && 'Licence shown',
  others: [
    ...(answering === null ? [] : [answering]),
    ...(emergency ? ['Emergency call-outs'] : []),
    ...(inTradeSince === null ? [] : [`Since ${inTradeSince}`]),
  ],
});

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
  hours: readonly { days: string; times: string }[];
  emergency: boolean;
  insured: boolean;
  licence: { registerName: string; page: string; number: string; name: string; class: string | null; check: string } | null;
  withoutLicence: string | null;
  verified: readonly Verified[];
};

export const toEvidenceView = (listing: Listing): EvidenceView => ({
  price: listing.priceGuide && formatPrice(listing.priceGuide),
  inTradeSince: listing.inTradeSince,
  hours: listing.hours ? formatHours(listing.hours) : [],
  emergency: listing.emergency,
  insured: listing.insured,
  licence: listing.licence && {
    ...listing.licence,
    check: formatLicenceCheck(
      listing.licence.checkedAt && formatDate(listing.licence.checkedAt, listing.timeZone),
      listing.licence.sandbox,
    ),
  },
  withoutLicence: listing.withoutLicence && formatWithoutLicence(listing.withoutLicence),
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
