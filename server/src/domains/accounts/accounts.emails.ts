import { addressChangeHours } from '@handwise/contract/accounts/address';
import { confirmDays } from '@handwise/contract/accounts/links';
import { formerMember } from '@handwise/contract/accounts/public-name';
import { formatTimeZone, formatMoment, siteTimeZone } from '@handwise/contract/dates';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { invoiceYears } from '@handwise/contract/periods';
import { guessesPerHour } from '@handwise/contract/sign-in/calls';
import { site } from '@handwise/contract/site/site';
import type { Mail } from '../../kit/mail/mail.ts';

type Reader = { to: string; appUrl: string };

// The recipient may be a stranger whose address someone typed, so these emails contain nothing that was typed, not even a name.
const greeting = 'Kia ora';

export const confirmationEmail = ({ to, appUrl }: Reader, token: string, conversationId?: string): Mail => ({
  to,
  subject: `Confirm your email address on ${site.name}`,
  preview: 'One tap, and your account is complete.',
  greeting,
  blocks: [
    {
      kind: 'text',
      text: 'Please confirm that this is your address. Then replies to your messages reach you by email, you can write reviews, and your draw tickets count.',
    },
    {
      kind: 'button',
      label: 'Confirm this address',
      url: `${appUrl}${paths.verifyEmail}?${conversationId === undefined ? '' : `conversation=${conversationId}&`}token=${token}`,
    },
    {
      kind: 'note',
      text: `The link works once, for ${confirmDays} days. If you didn’t sign up, ignore this email and nothing will be confirmed.`,
    },
  ],
  limit: { kind: 'account.confirm', perHour: 3 },
  reason: `You get this email because somebody signed up on ${site.name} with your address.`,
});

/** When and where a member changed how they sign in. Without a time zone, times are New Zealand's; the text names the zone. */
export type ChangedAt = { browser: string; at: Date; timeZone: string | undefined };

/** " on Nov 22, 2026, 3:15 pm New Zealand time, from Chrome on Windows" */
export const formatWhenAndWhere = ({ browser, at, timeZone = siteTimeZone }: ChangedAt) =>
  ` on ${formatMoment(at, timeZone)} ${formatTimeZone(timeZone)}, from ${browser === 'An unknown device' ? 'an unknown device' : browser}`;

type Ended = { addressChange: boolean; credentials: boolean };

/** `ended`: what else the new password has cancelled. */
export const passwordChangedEmail = ({ to, appUrl }: Reader, change: ChangedAt, ended: Ended): Mail => ({
  to,
  subject: `Your password on ${site.name} was changed`,
  preview: 'Every device was signed out.',
  greeting,
  blocks: [
    { kind: 'text', text: `Your password was changed${formatWhenAndWhere(change)}. Every device that was signed in has been signed out.` },
    ...(ended.credentials
      ? ([
          {
            kind: 'text',
            text: 'This address had never been confirmed. We removed every passkey, authenticator app and recovery code of the account, in case somebody else set them up.',
          },
        ] as const)
      : []),
    ...(ended.addressChange
      ? ([
          {
            kind: 'text',
            text: 'A new email address had been asked for. That is cancelled: your account keeps this address, and the link sent to the other one no longer works.',
          },
        ] as const)
      : []),
    { kind: 'text', text: 'If this wasn’t you, choose a new password straight away and tell us.' },
    { kind: 'button', label: 'Choose a new password', url: `${appUrl}${paths.forgotPassword}` },
  ],
});

export const addressChangeEndedEmail = ({ to }: Pick<Reader, 'to'>): Mail => ({
  to,
  subject: `This address will not become the address of an account on ${site.name}`,
  preview: 'The link we sent you no longer works.',
  greeting,
  blocks: [
    {
      kind: 'text',
      text: `We sent you a link to confirm this address for an account on ${site.name}. The account has a new password since, which cancels the change, and the link no longer works.`,
    },
    { kind: 'text', text: 'If this is your account, sign in with its address so far and the new password, then ask for the change again.' },
    { kind: 'note', text: 'If you didn’t ask for this, there is nothing to do.' },
  ],
  limit: { kind: 'account.address-change-ended', perHour: 3 },
  reason: `You get this email because a member of ${site.name} wanted to use your address.`,
});

export const passwordGuessesEmail = ({ to, appUrl }: Reader): Mail => ({
  to,
  subject: `Somebody is guessing your password on ${site.name}`,
  preview: 'You can still sign in yourself.',
  greeting,
  blocks: [
    {
      kind: 'text',
      text: `${guessesPerHour} wrong passwords for your account were tried within an hour. For the rest of the hour, no more can be tried on devices that have never signed in to it.`,
    },
    {
      kind: 'text',
      text: 'You can still sign in on a device you have used before. On another one, choose a new password by email, or wait an hour.',
    },
    { kind: 'button', label: 'Choose a new password', url: `${appUrl}${paths.forgotPassword}` },
    {
      kind: 'text',
      text: 'If you use your password elsewhere too, choose one that is only for here. A passkey or an authenticator app makes guessing pointless.',
    },
    { kind: 'note', text: `How you sign in: ${appUrl}${paths.security}. We send this at most once a day.` },
  ],
});

export const newAddressEmail = ({ to, appUrl }: Reader, token: string): Mail => ({
  to,
  subject: `Confirm your new email address on ${site.name}`,
  preview: 'One tap, and your account has its new address.',
  greeting,
  blocks: [
    {
      kind: 'text',
      text: `Please confirm this as the email address for your account on ${site.name}. Until then the account keeps the old one.`,
    },
    { kind: 'button', label: 'Confirm this address', url: `${appUrl}${paths.verifyEmail}?token=${token}` },
    {
      kind: 'note',
      text: `The link works once, for ${addressChangeHours} hours. If you didn’t ask for this, ignore this email and nothing will change.`,
    },
  ],
  limit: { kind: 'account.new-address', perHour: 3 },
  reason: `You get this email because a member of ${site.name} wants to use your address.`,
});

const notYou: Mail['blocks'] = [
  { kind: 'text', text: 'If this wasn’t you, somebody knows your password: choose a new one straight away and tell us.' },
];

export const addressChangeRequestedEmail = ({ to, appUrl }: Reader): Mail => ({
  to,
  subject: `Your account on ${site.name} is getting a new email address`,
  preview: 'It stays as it is until the new address is confirmed.',
  greeting,
  blocks: [
    { kind: 'text', text: 'Somebody who is signed in to your account, and knows your password, asked for a new email address.' },
    { kind: 'text', text: 'Nothing changes until the new address is confirmed. Until then you can cancel this in your settings.' },
    { kind: 'button', label: 'Open your settings', url: appUrl + paths.account },
    ...notYou,
    { kind: 'button', label: 'Choose a new password', url: appUrl + paths.forgotPassword },
  ],
});

export const addressChangedEmail = ({ to, appUrl }: Reader): Mail => ({
  to,
  subject: `Your account on ${site.name} has a new email address`,
  preview: 'This is no longer your account’s address.',
  greeting,
  blocks: [
    {
      kind: 'text',
      text: 'Your account now has the new address that was asked for. From now on, sign in with that one; our emails go there too.',
    },
    { kind: 'text', text: 'If this wasn’t you, tell us straight away, from this address.' },
    { kind: 'button', label: 'Write to us', url: appUrl + paths.contact },
  ],
});

export const accountDeletedEmail = ({ to }: Pick<Reader, 'to'>): Mail => ({
  to,
  subject: `Your account on ${site.name} has been deleted`,
  preview: 'Thank you for being with us.',
  greeting,
  blocks: [
    { kind: 'text', text: 'Your account has been deleted, as you asked. Thank you for being with us.' },
    {
      kind: 'text',
      text: 'Your listings have ended, and your name, addresses, phone number, pictures, saved listings and cards are gone.',
    },
    {
      kind: 'text',
      text: `These stay: the tax invoices of what you paid, for ${inWords(invoiceYears)} years, because the law requires it; your reviews, by “${formerMember}”; and what you wrote to others, in their conversations.`,
    },
    { kind: 'note', text: 'This cannot be undone. You are welcome to sign up again with the same address at any time.' },
  ],
});

export const businessAddressEmail = ({ to, appUrl }: Reader, token: string): Mail => ({
  to,
  subject: `Confirm the business address of a listing on ${site.name}`,
  preview: 'One tap, and emails about the listing come here.',
  greeting,
  blocks: [
    {
      kind: 'text',
      text: `A listing on ${site.name} names this address for its business. Confirm it, and messages from customers and notices about the listing come here.`,
    },
    { kind: 'button', label: 'Confirm this address', url: `${appUrl}${paths.verifyEmail}?token=${token}` },
    { kind: 'note', text: 'If this isn’t your business, ignore this email and nothing will be sent here.' },
  ],
  limit: { kind: 'account.business-address', perHour: 3 },
  reason: `You get this email because a listing on ${site.name} names your address.`,
});
