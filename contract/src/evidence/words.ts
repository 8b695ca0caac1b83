import { type BusinessRegister, businessRegisters } from './business-number.ts';
import { withDecimals } from '../numbers.ts';

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

export type RegisterCheckState = 'claimed' | 'valid' | 'verified' | 'refused' | 'gone';

type Check = { register: BusinessRegister; state: RegisterCheckState; registerName: string | null };

/** The state of a check, for the seller. */
export function formatCheck({ register, state, registerName }: Check): string {
  const { number, name } = businessRegisters[register];
  switch (state) {
    case 'claimed':
      return `We are asking the ${name} about this ${number}. This takes a few minutes.`;
    case 'valid':
      return `This can be an ${number}. We have not been able to ask the ${name} about it, so your listing shows no badge.`;
    case 'verified':
      return `Verified: the ${name} has this ${number} as “${registerName}”.`;
    case 'gone':
      return `Not verified: the ${name} says that “${registerName}” is not in operation any more.`;
    case 'refused':
      return registerName === null
        ? `Not verified: the ${name} has no business with this ${number}. Check the number.`
        : `Not verified: the ${name} has this ${number} as “${registerName}”, which is another name than your business’s. Use your own number, or the name that is registered.`;
  }
}
