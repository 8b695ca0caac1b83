import { paths } from '@handwise/contract/paths';
import { siteName } from '@handwise/contract/site-name';
import type { Mail } from '../../kit/mail.ts';

type Reader = { to: string; appUrl: string };

// The reader may be somebody whose address was typed by another: nothing that was typed stands in these mails, not even a name.
const greeting = 'Kia ora';

export const resetMail = ({ to, appUrl }: Reader, token: string): Mail => ({
  to,
  subject: `Choose a new password for ${siteName}`,
  preview: 'The link works once, for an hour.',
  greeting,
  blocks: [
    { kind: 'text', text: 'Somebody, probably you, asked for a new password.' },
    { kind: 'button', label: 'Choose a new password', url: `${appUrl}${paths.resetPassword}?token=${token}` },
    { kind: 'note', text: 'The link works once, for an hour. Was it not you? Then ignore this mail; your password stays as it is.' },
  ],
  limit: { kind: 'account.reset', perHour: 3 },
});
