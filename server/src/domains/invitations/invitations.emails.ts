import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import { type InvitationBasis, invitationBases, invitationDays } from '@handwise/contract/invitations/words';
import { paths } from '@handwise/contract/paths';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { site } from '@handwise/contract/site/site';
import { headerText, type Mail } from '../../kit/mail/mail.ts';

type Invitation = {
  draft: InvitationDraft;
  basis: InvitationBasis;
  token: string;
  end: NonNullable<Mail['end']>;
  mailboxKey: string;
  isReminder: boolean;
  appUrl: string;
};

export function invitationEmail({ draft, basis, token, end, mailboxKey, isReminder, appUrl }: Invitation): Mail {
  const name = headerText(draft.businessName, 60);
  const { because } = invitationBases[basis];
  return {
    to: draft.email,
    subject: `${isReminder ? 'Reminder: l' : 'L'}ist ${name} on ${site.name}`,
    preview: `Your first ${subscriptionDays} days are free. Nothing is public until you publish it.`,
    greeting: 'Kia ora',
    blocks: [
      {
        kind: 'text',
        text: `${site.name} is where people in New Zealand and Australia find home and trade services. We write to ${name} because ${because}.`,
      },
      {
        kind: 'text',
        text: `We have prepared a listing that you can check, change and publish. Your first ${subscriptionDays} days are free. Nothing is public until you publish it.`,
      },
      ...(draft.source ? [{ kind: 'text' as const, text: `We have your details from ${headerText(draft.source, 200)}.` }] : []),
      { kind: 'button', label: 'See the invitation', url: `${appUrl}${paths.invitation}?token=${token}` },
      {
        kind: 'note',
        text: isReminder
          ? 'This is our only reminder.'
          : `If you do not answer, we remind you once, and delete what we prepared after ${invitationDays} days.`,
      },
    ],
    onlyIf: { check: 'invitation_open', key: mailboxKey },
    end: { ...end, label: 'Never invite me again' },
    reason: `You get this email because ${because}.`,
  };
}
