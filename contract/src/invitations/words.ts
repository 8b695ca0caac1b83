// Words and limits of invitations, without schemas, because the pages show them.

/** The columns of an import, in the order of the template. `isRequired`: the file must have the column, and each row a value. */
export const importColumns = {
  name: { name: 'Business name', isRequired: true },
  trade: { name: 'Trade', isRequired: true },
  place: { name: 'Place', isRequired: true },
  phone: { name: 'Phone', isRequired: false },
  email: { name: 'Email', isRequired: true },
  website: { name: 'Website', isRequired: false },
  nzbn: { name: 'NZBN', isRequired: false },
  abn: { name: 'ABN', isRequired: false },
  text: { name: 'Text', isRequired: false },
} as const;
export type ImportColumn = keyof typeof importColumns;

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
  invalid: 'Has errors',
} as const;
export type RowOutcome = keyof typeof rowOutcomes;

export const importTemplate = `${Object.keys(importColumns).join(',')}\nKingi Plumbing,Plumbing,Taupō,07 345 6789,office@kingi-plumbing.example,kingi-plumbing.example,,,Family plumbers since 1998\n`;
