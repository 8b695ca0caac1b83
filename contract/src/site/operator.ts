import { site } from '@handwise/contract/site/site';

/**
 * The person in law that runs the site, with its postal address, the business numbers that it has, and where to write to: what the law of both
 * countries wants on a site and in commercial emails.
 */
export const formatOperator = (): string =>
  `${[
    site.legalName,
    site.legalAddress,
    ...(site.nzbn ? [`NZBN ${site.nzbn}`] : []),
    // Zeros are the example's.
    ...(/[1-9]/.test(site.abn) ? [`ABN ${site.abn}`] : []),
  ].join(', ')} · ${site.supportEmail}`;
