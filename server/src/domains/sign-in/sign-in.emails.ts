import { type ProviderName, providerNames } from '@handwise/contract/accounts/provider-names';
import { paths } from '@handwise/contract/paths';
import { site } from '@handwise/contract/site/site';
import type { Mail } from '../../kit/mail/mail.ts';
import { type ChangedAt, formatWhenAndWhere } from '../accounts/accounts.service.ts';

type Reader = { to: string; appUrl: string };

// The recipient may be a stranger whose address someone typed, so these emails contain nothing that was typed, not even a name.
const greeting = 'Kia ora';

export const resetEmail = ({ to, appUrl }: Reader, token: string, isConfirmed: boolean): Mail => ({
  to,
  subject: `Choose a new password for ${site.name}`,
  preview: 'The link works once, for an hour.',
  greeting,
  blocks: [
    { kind: 'text', text: 'Somebody, probably you, asked for a new password.' },
    ...(isConfirmed
      ? []
      : ([
          {
            kind: 'text',
            text: 'Your email address has never been confirmed. The new password confirms it, signs everyone out, and removes every passkey, authenticator app and recovery code, in case somebody else set them up.',
          },
        ] as const)),
    { kind: 'button', label: 'Choose a new password', url: `${appUrl}${paths.resetPassword}?token=${token}` },
    { kind: 'note', text: 'The link works once, for an hour. If this wasn’t you, ignore this email; your password stays as it is.' },
  ],
  limit: { kind: 'account.reset', perHour: 3 },
});

export const connectEmail = ({ to, appUrl }: Reader, provider: ProviderName, token: string): Mail => ({
  to,
  subject: `Connect ${providerNames[provider]} to your account on ${site.name}`,
  preview: 'The link works once, for an hour.',
  greeting,
  blocks: [
    {
      kind: 'text',
      text: `Somebody, probably you, wanted to sign in with ${providerNames[provider]}. You already have an account with this address, and ${providerNames[provider]} is not connected to it.`,
    },
    { kind: 'text', text: `If this was you, connect it. After that, “Continue with ${providerNames[provider]}” signs you in.` },
    { kind: 'button', label: `Connect ${providerNames[provider]}`, url: `${appUrl}${paths.providerReturn}?token=${token}` },
    { kind: 'note', text: 'The link works once, for an hour. If this wasn’t you, ignore this email; nothing will be connected.' },
  ],
  limit: { kind: 'account.connect', perHour: 3 },
});

const connected = (name: ProviderName) => ({
  subject: `${providerNames[name]} was connected`,
  text: `${providerNames[name]} was connected to your account, so “Continue with ${providerNames[name]}” signs you in`,
});
const disconnected = (name: ProviderName) => ({
  subject: `${providerNames[name]} was disconnected`,
  text: `${providerNames[name]} was disconnected from your account and no longer signs you in`,
});

const changes = {
  authenticatorAdded: { subject: 'An authenticator app was set up', text: 'An authenticator app was set up for your account' },
  authenticatorRemoved: {
    subject: 'Your authenticator app was removed',
    text: 'Your authenticator app and your recovery codes were removed, so your password alone signs in',
  },
  recoveryCodesRenewed: {
    subject: 'You have new recovery codes',
    text: 'New recovery codes were created for your account, and the earlier ones no longer work',
  },
  passkeyAdded: { subject: 'A passkey was added', text: 'A passkey that signs in to your account was added' },
  passkeyRemoved: { subject: 'A passkey was removed', text: 'A passkey was removed from your account' },
  googleConnected: connected('google'),
  googleDisconnected: disconnected('google'),
  appleConnected: connected('apple'),
  appleDisconnected: disconnected('apple'),
  recoveryCodeUsed: {
    subject: 'A recovery code was used',
    text: 'Somebody signed in to your account with your password and a recovery code',
  },
} as const;
export type Change = keyof typeof changes;

/** Sent after every change of how an account is signed in to, so that its owner notices a stranger's. */
export const signInChangedEmail = ({ to, appUrl }: Reader, change: Change, at: ChangedAt): Mail => ({
  to,
  subject: `${changes[change].subject} on ${site.name}`,
  preview: 'If this wasn’t you, choose a new password now.',
  greeting,
  blocks: [
    { kind: 'text', text: `${changes[change].text}${formatWhenAndWhere(at)}.` },
    {
      kind: 'text',
      text: 'If this was you, there is nothing to do. If it wasn’t, choose a new password, which signs everyone out, then check how you sign in.',
    },
    { kind: 'button', label: 'Choose a new password', url: `${appUrl}${paths.forgotPassword}` },
    { kind: 'note', text: `How you sign in: ${appUrl}${paths.security}` },
  ],
});
