import { count } from '../numbers.ts';

// Texts about checks and licences. Without schemas, because pages of listings load them and must stay small.

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
