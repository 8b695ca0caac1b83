import type { contactForm } from '@handwise/contract/site/contact';
import { siteName } from '@handwise/contract/site/name';
import type { z } from 'zod';
import { headerText } from '../../kit/mail/mail-words.ts';
import type { Mail } from '../../kit/mail/mail.ts';

export type ContactMessage = z.infer<typeof contactForm>;

/** What somebody wrote through the contact form, to the support. An answer goes to the writer. */
export function contactMail(to: string, { fullName, email, website, message }: ContactMessage, id: string): Mail {
  return {
    to,
    replyTo: email,
    subject: `${siteName}: a message from ${headerText(fullName, 60)}`,
    preview: 'Somebody wrote through the contact form.',
    blocks: [
      {
        kind: 'facts',
        rows: [
          { label: 'Name', value: fullName },
          { label: 'Email', value: email },
          ...(website ? [{ label: 'Website', value: website }] : []),
          { label: 'Number', value: id },
        ],
      },
      { kind: 'quote', text: message },
      { kind: 'note', text: 'The sender typed the address, and it is not confirmed. A reply to this email goes to it.' },
    ],
  };
}
