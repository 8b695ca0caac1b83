import { count, withDecimals } from '../numbers.ts';

// Texts of the evidence fields. Without schemas, because cards and pages of listings load them and must stay small.

export const priceUnits = {
  hour: 'per hour',
  visit: 'per visit',
  job: 'per job',
  day: 'per day',
  room: 'per room',
  square_metre: 'per m²',
} as const;
export type PriceUnit = keyof typeof priceUnits;

export type PriceGuide = {
  from: number | null;
  unit: PriceUnit | null;
  callOut: number | null;
  minimumCharge: number | null;
  currency: 'NZD' | 'AUD';
};

/** "$95", "$95.50" */
const dollars = (minor: number): string => `$${withDecimals(minor / 100, minor % 100 === 0 ? 0 : 2)}`;

const formatCallOut = (minor: number) => (minor === 0 ? 'no call-out fee' : `call-out ${dollars(minor)}`);
const formatMinimum = (minor: number) => (minor === 0 ? 'no minimum charge' : `minimum charge ${dollars(minor)}`);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "From $95 per hour, call-out $60, minimum charge $120" */
export function formatPrice({ from, unit, callOut, minimumCharge }: PriceGuide): string {
  const price = from === null || unit === null ? [] : [`from ${dollars(from)} ${priceUnits[unit]}`];
  const fee = callOut === null ? [] : [formatCallOut(callOut)];
  const minimum = minimumCharge === null ? [] : [formatMinimum(minimumCharge)];
  return capital([...price, ...fee, ...minimum].join(', '));
}

/** The disclaimer of the badge. */
export const notMeantByVerified =
  'It does not say that their work, prices, insurance or licences have been checked, and it is no recommendation of ours.';

/** "$5,000" */
export const formatLimit = (minor: number) => `$${count(Math.round(minor / 100))}`;

/** What a listing says that holds no licence; null if it says nothing. */
export type WithoutLicence = { exemption: string | null; limitMinor: number | null };

/** "Only takes work below $5,000, for which none is needed" */
export const formatWithoutLicence = ({ exemption, limitMinor }: WithoutLicence): string =>
  exemption !== null
    ? `The business says that an exemption applies to it: ${exemption}`
    : limitMinor === null
      ? 'The business says that it only takes work that needs none'
      : `The business says that it only takes work below ${formatLimit(limitMinor)}, for which none is needed`;

/** A check compares number, holder and status. `register`: the class in the register, if the check noted it; undefined without a check. */
export function formatLicenceClass(stated: string | null, register: string | null | undefined): string | null {
  if (register) return `${register} in the register`;
  return stated !== null && register !== undefined ? `stated as ${stated}, class not checked` : stated;
}

/** "Licence checked on Nov 30, 2026" or "Licence stated, not checked"; `date` is null without a valid check. */
export const formatLicenceCheck = (date: string | null, isSandbox = false): string =>
  date === null ? 'Licence stated, not checked' : `Licence checked on ${date}${isSandbox ? ' (sandbox)' : ''}`;
