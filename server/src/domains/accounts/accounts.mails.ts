import { confirmDays } from '@handwise/contract/account-links';
import { paths } from '@handwise/contract/paths';
import { siteName } from '@handwise/contract/site-name';
import type { Mail } from '../../kit/mail.ts';

type Reader = { to: string; appUrl: string };

// The reader may be somebody whose address was typed by another: nothing that was typed stands in these mails, not even a name.
const greeting = 'Kia ora';

export const confirmMail = ({ to, appUrl }: Reader, token: string): Mail => ({
  to,
  subject: `Confirm your email address on ${siteName}`,
  preview: 'One tap, and your account is complete.',
  greeting,
  blocks: [
    { kind: 'text', text: 'Please confirm that this is your address. Then you can write reviews, and your draw tickets count.' },
    { kind: 'button', label: 'Confirm this address', url: `${appUrl}${paths.verifyEmail}?token=${token}` },
    {
      kind: 'note',
      text: `The link works once, for ${confirmDays} days. Did you not register? Then ignore this mail; nothing is confirmed.`,
    },
  ],
  limit: { kind: 'account.confirm', perHour: 3 },
  reason: `You get this mail because somebody registered on ${siteName} with your address.`,
});

export const passwordChangedMail = ({ to, appUrl }: Reader): Mail => ({
  to,
  subject: `Your password on ${siteName} was changed`,
  preview: 'Every device was signed out.',
  greeting,
  blocks: [
    { kind: 'text', text: 'Your password was changed just now, and every device that was signed in is signed out.' },
    { kind: 'text', text: 'Was it not you? Choose a new password at once, and tell us.' },
    { kind: 'button', label: 'Choose a new password', url: `${appUrl}${paths.forgotPassword}` },
  ],
});
