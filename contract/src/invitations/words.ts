// Words and limits of invitations, without schemas, because the pages show them.

/**
 * The columns of an import, in the order of the template. `isRequired`: the file must have the column, and each row a value. `also`: what other
 * files call it, without spaces and punctuation, the surest first.
 */
export const importColumns = {
  name: {
    name: 'Business name',
    isRequired: true,
    also: [
      'businessname',
      'tradingname',
      'tradingas',
      'companyname',
      'business',
      'company',
      'organisation',
      'organization',
      'organisationname',
    ],
  },
  trade: {
    name: 'Trade',
    isRequired: true,
    also: ['trades', 'tradetype', 'category', 'subcategory', 'service', 'services', 'industry', 'occupation'],
  },
  place: {
    name: 'Place',
    isRequired: true,
    also: ['suburb', 'town', 'townsuburb', 'suburbtown', 'towncity', 'city', 'locality', 'district', 'location'],
  },
  phone: {
    name: 'Phone',
    isRequired: false,
    also: [
      'phonenumber',
      'businessphone',
      'telephone',
      'tel',
      'mobile',
      'mobilenumber',
      'mobilephone',
      'cell',
      'cellphone',
      'contactnumber',
      'landline',
    ],
  },
  email: { name: 'Email', isRequired: true, also: ['emailaddress', 'businessemail', 'contactemail', 'mail'] },
  website: { name: 'Website', isRequired: false, also: ['websiteurl', 'webaddress', 'webpage', 'homepage', 'web', 'site', 'url'] },
  nzbn: { name: 'NZBN', isRequired: false, also: ['nzbnnumber', 'nzbusinessnumber'] },
  abn: { name: 'ABN', isRequired: false, also: ['abnnumber', 'australianbusinessnumber'] },
  text: { name: 'Text', isRequired: false, also: ['description', 'about', 'aboutus', 'businessdescription'] },
  /** Where the data of the row came from, and when; required for `published_address`. */
  source: { name: 'Source', isRequired: false, also: ['sourceurl', 'datasource', 'foundat', 'foundon', 'origin'] },
} as const satisfies Record<string, { name: string; isRequired: boolean; also: readonly string[] }>;
export type ImportColumn = keyof typeof importColumns;
/** Read as the number of the file's country. */
export const businessNumberColumn = 'businessnumber';
/** Which column of a file is which of ours, by the names in its header. */
export type ImportMapping = Partial<Record<ImportColumn, string>>;

export const maxImportRows = 10_000;
export const maxImportMb = 5;
export const invitationDays = 60;
export const invitationReminderDays = 7;

/** Why an administrator may email the businesses of an import; `because` is the reason that the email gives. */
export const invitationBases = {
  consent: { name: 'They consented to hear from us', because: 'you agreed to hear from us' },
  existing_relationship: { name: 'We already do business with them', because: 'we already do business with you' },
  published_address: {
    name: 'They publish this address for business enquiries',
    because: 'you publish this address for enquiries about your business',
  },
} as const;
export type InvitationBasis = keyof typeof invitationBases;

/** What happens to a row of an import. */
export const rowOutcomes = {
  invite: 'New invitation',
  invited: 'Already invited',
  member: 'Already a member',
  refused: 'Never again',
  duplicate: 'Twice in this file',
  closed: 'Closed trade or country',
  invalid: 'Has errors',
} as const;
export type RowOutcome = keyof typeof rowOutcomes;

export const importTemplate = `\ufeff${Object.keys(importColumns).join(',')}\nKingi Plumbing,Plumbing,Taupō,07 345 6789,office@kingi-plumbing.example,kingi-plumbing.example,,,Family plumbers since 1998,"kingi-plumbing.example/contact, 20 Nov 2026"\n`;
