import { paths } from '@handwise/contract/paths';
import { type BusinessRegister, businessRegisters } from '@handwise/contract/registers/business-number';
import { formatCheck, type RegisterCheckState } from '@handwise/contract/registers/checks';
import { formatGreeting, type Mail } from '../../kit/mail/mail.ts';

type Recipient = { to: string; name: string; appUrl: string };
type Outcome = { listingId: string; title: string; register: BusinessRegister; state: RegisterCheckState; registerName: string | null };

export const notVerifiedEmail = (recipient: Recipient, outcome: Outcome): Mail => ({
  to: recipient.to,
  subject: `We could not verify your ${businessRegisters[outcome.register].number}`,
  // Anyone can create an account with another person's address.
  limit: { kind: 'registers.not-verified', perHour: 3 },
  preview: 'Your listing stays as it is, without the badge.',
  greeting: formatGreeting(recipient.name),
  blocks: [
    { kind: 'text', text: formatCheck(outcome) },
    { kind: 'facts', rows: [{ label: 'Listing', value: outcome.title }] },
    { kind: 'text', text: 'Your listing stays as it is, without the badge.' },
    { kind: 'button', label: 'Edit the listing', url: recipient.appUrl + paths.editListing(outcome.listingId) },
  ],
});
