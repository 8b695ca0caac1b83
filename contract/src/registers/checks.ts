import { type BusinessRegister, businessRegisters } from './business-number.ts';
import type { LicenceProblem, LicenceState } from './licences.ts';

// What a seller reads about the checks of their listing.

export type RegisterCheckState = 'claimed' | 'valid' | 'verified' | 'refused' | 'gone';

type Check = { register: BusinessRegister; state: RegisterCheckState; registerName: string | null };

/** The state of a number's check. */
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

const licenceWords = {
  stated: 'Your licence is shown as “stated, not checked” until we have looked it up in the register.',
  valid: 'We found your licence in the register.',
  ended: 'The register says that this licence has ended, so your listing does not show it.',
  suspended: 'The register says that this licence is suspended, so your listing does not show it.',
  other_holder: 'The register names another holder of this licence, so your listing does not show it.',
} as const satisfies Record<LicenceState, string>;

/** The state of a licence's check. */
export const formatLicenceState = ({ state, problem }: { state: LicenceState; problem: LicenceProblem | null }): string =>
  state === 'stated' && problem === 'not_found'
    ? 'The register has nothing under this licence number, so your listing shows it as “stated, not checked”. Check the number, and correct it here if it is wrong.'
    : licenceWords[state];
