import type { SettingName } from '@handwise/contract/site/settings';

/** Each setting on its form and in the history, in their order. */
export const settingWords: Record<SettingName, { label: string; hint?: string; group: string }> = {
  name: { label: 'Name of the site', group: 'The site', hint: 'On every page and email, in documents and on phones’ home screens' },
  accent: {
    label: 'Accent colour',
    group: 'The site',
    hint: 'Such as #1d4ed8; empty for the built-in green. Buttons and links take the nearest shade that can be read',
  },
  logo: { label: 'Logo', group: 'The site' },
  senderEmail: { label: 'Sender of emails', group: 'Email', hint: 'The mail server must be allowed to send for its domain' },
  supportEmail: { label: 'Support address', group: 'Email', hint: 'On pages and in every email; gets the messages of the contact form' },
  legalName: { label: 'Legal person', group: 'Who runs it', hint: 'The person or company, as registered' },
  legalAddress: { label: 'Postal address', group: 'Who runs it' },
  nzbn: { label: 'NZBN', group: 'Who runs it' },
  nzGstNumber: { label: 'New Zealand GST number', group: 'Who runs it', hint: 'On New Zealand tax invoices' },
  abn: { label: 'ABN', group: 'Who runs it', hint: 'On Australian tax invoices' },
  hosting: {
    label: 'Hosting provider',
    group: 'Who works for it',
    hint: 'Name and country, for the privacy page: Catalyst Cloud, New Zealand',
  },
  mailDelivery: { label: 'Mail provider', group: 'Who works for it', hint: 'Who delivers the emails: name and country' },
  basicPrice: { label: 'Basic, dollars', group: 'Plans', hint: 'For 30 days, GST included, in New Zealand and in Australian dollars' },
  basicSlots: { label: 'Basic, listings', group: 'Plans' },
  premiumPrice: { label: 'Premium, dollars', group: 'Plans' },
  premiumSlots: { label: 'Premium, listings', group: 'Plans' },
  featuredPrice: { label: 'Featured, dollars', group: 'Plans' },
  featuredSlots: { label: 'Featured, listings', group: 'Plans' },
  closedCountries: { label: 'Closed countries', group: 'What is open' },
  closedTrades: { label: 'Closed trades', group: 'What is open' },
  prize: {
    label: 'Prize, dollars',
    group: 'Prize draw',
    hint: 'In the winner’s own dollars. It is for the draws that follow: the one that runs pays what it was announced with',
  },
  permitNsw: {
    label: 'Permit, New South Wales',
    group: 'Prize draw',
    hint: 'Its number, which pages, terms and emails about the next draws show. A draw that needs a permit and has none is not open to people who live there',
  },
  permitSa: { label: 'Permit, South Australia', group: 'Prize draw' },
  permitAct: { label: 'Permit, Australian Capital Territory', group: 'Prize draw' },
  permitNt: { label: 'Permit, Northern Territory', group: 'Prize draw' },
};
