import { type BusinessRegister, businessRegisters } from './business-number.ts';
import type { CountryCode } from '../markets.ts';
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

type PriceGuide = {
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

type LicenceRegister = { country: CountryCode; name: string; trades: string; page: string };

/** The public registers of licensed trades: operator, trades, and the page to look a licence up. */
export const licenceRegisters = {
  pgdb: {
    country: 'NZ',
    name: 'Plumbers, Gasfitters and Drainlayers Board',
    trades: 'plumbers, gasfitters, drainlayers',
    page: 'https://www.pgdb.co.nz/',
  },
  ewrb: { country: 'NZ', name: 'Electrical Workers Registration Board', trades: 'electricians', page: 'https://www.ewrb.govt.nz/' },
  lbp: {
    country: 'NZ',
    name: 'Licensed Building Practitioners',
    trades: 'builders, roofers, bricklayers, external plasterers',
    page: 'https://www.lbp.govt.nz/',
  },
  nsw: {
    country: 'AU',
    name: 'NSW Fair Trading',
    trades: 'building and trades in New South Wales',
    page: 'https://verify.licence.nsw.gov.au/',
  },
  qbcc: {
    country: 'AU',
    name: 'Queensland Building and Construction Commission',
    trades: 'building and plumbing in Queensland',
    page: 'https://www.qbcc.qld.gov.au/',
  },
  qld_electrical: {
    country: 'AU',
    name: 'Electrical Safety Office Queensland',
    trades: 'electricians in Queensland',
    page: 'https://www.electricalsafety.qld.gov.au/',
  },
  bpc: {
    country: 'AU',
    name: 'Building and Plumbing Commission',
    trades: 'building and plumbing in Victoria',
    page: 'https://www.bpc.vic.gov.au/',
  },
  esv: { country: 'AU', name: 'Energy Safe Victoria', trades: 'electricians in Victoria', page: 'https://www.energysafe.vic.gov.au/' },
  wa: {
    country: 'AU',
    name: 'Building and Energy, Western Australia',
    trades: 'building, plumbing and electrical work in Western Australia',
    page: 'https://www.wa.gov.au/organisation/building-and-energy',
  },
  sa: {
    country: 'AU',
    name: 'Consumer and Business Services, South Australia',
    trades: 'building, plumbing and electrical work in South Australia',
    page: 'https://www.cbs.sa.gov.au/',
  },
  tas: {
    country: 'AU',
    name: 'Consumer, Building and Occupational Services, Tasmania',
    trades: 'building, plumbing and electrical work in Tasmania',
    page: 'https://www.cbos.tas.gov.au/',
  },
  act: {
    country: 'AU',
    name: 'Access Canberra',
    trades: 'building, plumbing and electrical work in the ACT',
    page: 'https://www.accesscanberra.act.gov.au/',
  },
  nt: {
    country: 'AU',
    name: 'Building Practitioners Board, Northern Territory',
    trades: 'building in the Northern Territory',
    page: 'https://bpb.nt.gov.au/',
  },
  arc: {
    country: 'AU',
    name: 'Australian Refrigeration Council',
    trades: 'refrigeration and air conditioning',
    page: 'https://www.arctick.org/',
  },
} as const satisfies Record<string, LicenceRegister>;
export type LicenceRegisterCode = keyof typeof licenceRegisters;

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
