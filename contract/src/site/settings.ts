import { z } from 'zod';
import type { Call } from '../call.ts';
import { categories } from '../listings/categories.ts';
import { markets } from '../markets.ts';
import { maxLogoBytes } from '../pictures.ts';
import { parseBusinessNumber } from '../registers/business-number.ts';
import { atMost, emailAddress, line, machineLine, requiredLine, requiredLines } from '../text-fields.ts';
import { splitAtLastComma, splitList } from '../text.ts';

/** The address of an uploaded logo. */
const logoAddress = /^\/files\/logos\/[\da-f]{2}\/[\da-f]{24}\.webp$/;

/** Of `defaultSite`, which this module leaves out, because bundles must not name a site. */
const exampleAbn = '00 000 000 000';

const price = machineLine()
  .refine((dollars) => /^\d{1,4}(\.\d{1,2})?$/.test(dollars) && Number(dollars) >= 1, {
    error: 'Use dollars, such as 15 or 15.50',
    abort: true,
  })
  .overwrite((dollars) => (/^[\d.]+$/.test(dollars) ? Number(dollars).toFixed(2) : dollars));
const slots = machineLine().refine((number) => /^[1-9]\d?$/.test(number), 'Use a number from 1 to 99');

/** What each list of closed ones may hold. */
export const closable = { closedCountries: Object.keys(markets), closedTrades: categories.map(({ slug }) => slug) };

const closedOf = (all: readonly string[], lastOne: string) =>
  machineLine()
    .refine((text) => splitList(text).every((one) => all.includes(one)), { error: `Use these: ${all.join(', ')}`, abort: true })
    .refine((text) => new Set(splitList(text)).size < all.length, { error: lastOne, abort: true })
    .overwrite((text) => all.filter((one) => splitList(text).includes(one)).join(', '));

// Name and country, because the privacy page says both.
const provider = line()
  .max(...atMost(120))
  .refine((text) => text === '' || splitAtLastComma(text).every(Boolean), 'Give name and country, such as Catalyst Cloud, New Zealand');

const permit = machineLine()
  .max(...atMost(40))
  .refine((number) => /^[\w ./-]*$/.test(number), 'Write the number as the permit says it, such as TP/00042');

/** What an administrator may set at `/admin/settings`. An empty text means that there is none. */
export const siteSettings = z.strictObject({
  name: requiredLine('The site needs a name', 40)
    // Otherwise every name of a member would be one of the site's.
    .refine((name) => /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(name), 'Use at least two letters or digits')
    .refine((name) => !/[<>"@]/.test(name), 'Leave out <, >, @ and quotation marks: mail programs read them as part of the address'),
  accent: machineLine()
    .toLowerCase()
    .refine((colour) => colour === '' || /^#[\da-f]{6}$/.test(colour), 'Use a colour such as #047857'),
  logo: machineLine().refine((address) => address === '' || logoAddress.test(address), 'Upload a picture'),
  senderEmail: emailAddress('Emails need a sender', 'Use one email address'),
  supportEmail: emailAddress('People need an address to write to', 'Use one email address'),
  legalName: requiredLine('Name the person or company that runs the site', 120),
  legalAddress: requiredLine('Give a postal address', 200),
  nzbn: machineLine().refine(
    (number) => number === '' || parseBusinessNumber(number, 'NZ') !== undefined,
    'This is no NZBN: it has 13 digits and begins with 94',
  ),
  nzGstNumber: machineLine()
    .max(...atMost(20))
    .refine((number) => number === '' || /^\d{8,9}$/.test(number.replaceAll(/[ -]/g, '')), 'A GST number has 8 or 9 digits'),
  abn: machineLine().refine(
    (number) => number === '' || number === exampleAbn || parseBusinessNumber(number, 'AU') !== undefined,
    'This is no ABN: check its 11 digits',
  ),
  hosting: provider,
  mailDelivery: provider,
  // In dollars of the listing's country, GST included, for 30 days; and how many listings they cover.
  basicPrice: price,
  basicSlots: slots,
  premiumPrice: price,
  premiumSlots: slots,
  featuredPrice: price,
  featuredSlots: slots,
  // Those that take no new listings, so that one that a new version adds is open.
  closedCountries: closedOf(closable.closedCountries, 'One country has to stay open'),
  closedTrades: closedOf(closable.closedTrades, 'One trade has to stay open'),
  // In dollars of the winner's country.
  prize: machineLine().refine((dollars) => /^[1-9]\d{0,5}$/.test(dollars), 'Use whole dollars from 1 to 999999, such as 1000'),
  // Of the draws that follow; a draw that needs one and has none is not open to people who live there.
  permitNsw: permit,
  permitSa: permit,
  permitAct: permit,
  permitNt: permit,
});
export type SiteSettings = z.output<typeof siteSettings>;
export type SettingName = keyof SiteSettings;

const version = z.int().min(0).meta({
  description:
    'The number of the last change, so that two administrators do not undo each other’s; 0 before the first. Without it the last change wins',
});

const settingsChange = z.object({
  version: z.int(),
  changedAt: z.iso.datetime(),
  by: z.string().nullable().meta({ description: 'Null if somebody worked in the database' }),
  reason: z.string(),
  before: z.record(z.string(), z.string()),
  after: z.record(z.string(), z.string()),
});

const stored = z.object({
  settings: z.object(siteSettings.shape),
  version,
  live: z.record(z.string(), z.int()).meta({ description: 'How many listings run in each country and main category, by code and slug' }),
  history: z.array(settingsChange).meta({ description: 'The last 50 changes, newest first' }),
});

export const getSettingsCall = {
  method: 'GET',
  url: '/admin/settings',
  summary: 'Get the settings of the site, and their history',
  access: 'admin',
  response: stored,
  errors: [],
} as const satisfies Call;

export const changeSettingsCall = {
  method: 'PUT',
  url: '/admin/settings',
  summary: 'Change settings of the site',
  details: 'Every server uses them within five seconds. What was sold before stays as it was sold.',
  access: 'admin',
  recent: true,
  body: z.strictObject({
    values: siteSettings.partial().meta({ description: 'Those that change; the others stay' }),
    version: version.optional(),
    reason: requiredLines('Say why: it stays in the history', 500),
    acceptsUnmet: z
      .boolean()
      .optional()
      .meta({ description: 'Required for a prize with which the draw would not meet what a state or country asks for, such as a permit' }),
  }),
  response: z.object({ message: z.string(), ...stored.shape }),
  errors: ['settings_changed'],
} as const satisfies Call;

export const uploadLogoCall = {
  method: 'POST',
  url: '/admin/settings/logo',
  summary: 'Send a logo for the site',
  details: 'It is shown once it is saved as the setting `logo`, which has to happen within the hour.',
  access: 'admin',
  form: z.object({}),
  files: { logo: { maxFiles: 1, maxBytes: maxLogoBytes } },
  response: z.object({ logo: z.string().meta({ example: '/files/logos/0a/0a1b2c3d4e5f60718293a4b5.webp' }) }),
  errors: [
    'unsupported_picture',
    'picture_too_large',
    'file_too_large',
    'too_many_files',
    'body_too_large',
    'storage_full',
    'storage_unavailable',
  ],
} as const satisfies Call;
