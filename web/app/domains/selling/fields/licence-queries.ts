import type { OutputOf } from '@handwise/contract/calls';
import { type LicenceAnswer, listLicenceFaults } from '@handwise/contract/registers/licences';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import type { FactTexts } from './fact-schema.ts';

export type Requirement = OutputOf<'GET /licences/requirement'>;
type Work = { region: string; category: string; subCategory: string };

const minuteMs = 60_000;

const requirementQuery = ({ region, category, subCategory }: Work) =>
  queryOptions({
    queryKey: ['licence-requirement', region, category, subCategory],
    queryFn: ({ signal }) =>
      call('GET /licences/requirement', { query: { region, category, ...(subCategory && { subCategory }) } }, signal),
    staleTime: 5 * minuteMs,
    retry: false,
  });

/** What the law asks for; undefined until it is known. The server has the last word. */
export const useLicenceRequirement = (work: Work): Requirement | undefined =>
  useQuery({ ...requirementQuery(work), enabled: work.region !== '' && work.category !== '' }).data;

/** The chosen answer. Drafts and listings from before have a licence without one. */
export const getLicenceAnswer = ({ licenceAnswer, licenceNumber }: FactTexts): LicenceAnswer | '' =>
  licenceAnswer || (licenceNumber === '' ? '' : 'licence');

/** What a form lacks for what the law asks for. */
export function listLicenceProblems(requirement: Requirement, values: FactTexts) {
  const answer = getLicenceAnswer(values);
  const isLicence = answer === 'licence';
  return listLicenceFaults(requirement, {
    number: isLicence ? values.licenceNumber.trim() : null,
    holder: values.licenceName.trim(),
    class: values.licenceClass.trim(),
    exemption: answer === 'exempt' ? values.licenceExemption.trim() : null,
    belowLimit: answer === 'below-limit',
  });
}

/** Throws what the server would say at publishing. Without an answer of the server nothing is refused here. */
export async function checkLicence(client: QueryClient, work: Work, values: FactTexts): Promise<void> {
  const requirement = await client.fetchQuery(requirementQuery(work)).catch(() => null);
  const problems = requirement ? listLicenceProblems(requirement, values) : [];
  const [first] = problems;
  if (first) throw new ApiError(400, 'invalid_input', first.message, problems);
}
