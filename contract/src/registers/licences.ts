import { formatLimit } from './words.ts';

// Where the law asks for a licence, and what a listing says about it. Without schemas, because pages of listings load these texts.

/** `above-threshold`: from a value, or for a kind of the work. `unsure`: nobody has confirmed it, so nothing is required. */
export const licenceNeeds = ['yes', 'above-threshold', 'unsure', 'no'] as const;
export type LicenceNeed = (typeof licenceNeeds)[number];

/** What a business answers where a licence is asked for. */
export const licenceAnswers = {
  licence: 'We hold a licence',
  exempt: 'An exemption applies to us',
  'below-limit': 'We only take work below the limit',
} as const;
export type LicenceAnswer = keyof typeof licenceAnswers;

/** What the law asks for where a listing is. */
export type LicenceRequirement = {
  required: LicenceNeed;
  /** The value from which it is asked for, in cents; null if the law has none, or names the kind of work instead. */
  thresholdMinor: number | null;
};

export const isLicenceAsked = ({ required }: Pick<LicenceRequirement, 'required'>): boolean =>
  required === 'yes' || required === 'above-threshold';

/** What a listing says about its licence. */
export type StatedLicence = {
  number: string | null;
  holder: string | null;
  class: string | null;
  exemption: string | null;
  belowLimit: boolean;
  /** The limit that it named, in cents. */
  limitMinor?: number | null;
};

type LicenceField = 'licenceAnswer' | 'licenceNumber' | 'licenceName' | 'licenceClass' | 'licenceExemption';
type Fault = { field: LicenceField; message: string };

/** What is missing where the law asks for a licence; empty where it does not, or where nobody has confirmed that it does. */
export function listLicenceFaults(requirement: LicenceRequirement, stated: StatedLicence): Fault[] {
  if (!isLicenceAsked(requirement)) return [];
  if (stated.exemption) return [];
  if (stated.belowLimit) {
    if (requirement.required === 'above-threshold') {
      const { thresholdMinor: limit } = requirement;
      if (limit === null || (stated.limitMinor ?? 0) <= limit) return [];
      return [{ field: 'licenceAnswer', message: `This work now needs a licence from ${formatLimit(limit)}: answer again` }];
    }
    return [{ field: 'licenceAnswer', message: 'This work needs a licence whatever it costs: name yours, or the exemption that applies' }];
  }
  if (!stated.number) {
    const others =
      requirement.required === 'above-threshold'
        ? 'the exemption that applies, or that you only work below the limit'
        : 'the exemption that applies';
    return [{ field: 'licenceAnswer', message: `The law asks for a licence for this work here: name yours, or ${others}` }];
  }
  return [
    ...(stated.class ? [] : [{ field: 'licenceClass' as const, message: 'Name the class of the licence, as the register has it' }]),
    ...(stated.holder ? [] : [{ field: 'licenceName' as const, message: 'Say who holds the licence' }]),
  ];
}

/** The label of the answer of a business that stays below the limit. */
export const formatBelowLimit = (thresholdMinor: number | null): string =>
  thresholdMinor === null ? 'We only take the part of this work that needs none' : `We only take work below ${formatLimit(thresholdMinor)}`;

/** `valid`: found in the register, for 90 days. `stated`: not looked up, or longer ago. The others hide the claim. */
export const licenceStates = ['stated', 'valid', 'ended', 'suspended', 'other_holder'] as const;
export type LicenceState = (typeof licenceStates)[number];

/** Why an answer of a register is missing: it was down or odd, or had nothing under the number. */
export const licenceProblems = ['no_answer', 'not_found'] as const;
export type LicenceProblem = (typeof licenceProblems)[number];

/** What an administrator can find in a register. */
export const licenceResults = {
  valid: 'It is current, and theirs',
  ended: 'It has ended',
  suspended: 'It is suspended',
  other_holder: 'It is somebody else’s',
  not_found: 'The register has nothing under this number',
} as const;
export type LicenceResult = keyof typeof licenceResults;

/** Said wherever the site speaks about what the law asks for. */
export const licenceDisclaimer = 'General information, not advice: the regulator says what applies to you.';
