import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import { bankDays } from '@handwise/contract/periods';
import { siteName } from '@handwise/contract/site/name';
import { greetingOf } from '../../../kit/mail/mail-words.ts';
import type { Mail } from '../../../kit/mail/mail.ts';

type Told = { amount_minor: number; currency: string; appUrl: string };
type Payer = Told & { to: string; name: string };

/** The plan is there again; what was published with it may not be. */
export function rebuiltMail({ to, name, amount_minor, currency, appUrl }: Payer): Mail {
  const amount = money(amount_minor, currency);
  return {
    to,
    subject: `Your payment of ${amount} counts again`,
    preview: 'Your plan has been restored. Please check your listings.',
    greeting: greetingOf(name),
    blocks: [
      {
        kind: 'text',
        text: `A fault on our side lost our record of your payment of ${amount}. We have found it with our payment service and restored your plan, which now runs from today. You were not charged again.`,
      },
      {
        kind: 'text',
        text: 'If you published or changed a listing at about the same time, please check it. If it is missing, publish it again: there is nothing more to pay. You can throw away any earlier receipt for this payment, as the new one replaces it.',
      },
      { kind: 'button', label: 'See my listings', url: appUrl + paths.ownListings },
    ],
  };
}

/** There is no account any more to give the plan to. */
export function returnedMail({ to, name, amount_minor, currency, appUrl }: Payer): Mail {
  const amount = money(amount_minor, currency);
  return {
    to,
    subject: `Your payment of ${amount} is going back to your card`,
    preview: 'A fault on our side lost what you paid for.',
    greeting: greetingOf(name),
    blocks: [
      {
        kind: 'text',
        text: `A fault on our side lost what you paid ${amount} for, and possibly your account with ${siteName} too. We are sorry. We are refunding the whole amount to your card; banks usually show it within ${bankDays}.`,
      },
      { kind: 'text', text: 'If you can no longer sign in, please sign up again with the same email address.' },
      { kind: 'button', label: `Go to ${siteName}`, url: appUrl },
    ],
  };
}

type Found = Told & {
  intent_id: string;
  payment_id: string;
  user_id: string;
  outcome: 'rebuilt' | 'returned';
  reason: string;
};

/** What happened, and what there is left to look at. */
export const foundOperatorMail = (to: string, found: Found): Mail => ({
  to,
  subject: `A payment of ${money(found.amount_minor, found.currency)} was found at the provider`,
  preview: found.outcome === 'rebuilt' ? 'It has been restored.' : 'It is going back to its payer.',
  blocks: [
    {
      kind: 'text',
      text:
        found.outcome === 'rebuilt'
          ? 'This payment was missing from our database. It has been restored and booked, under its old number. What was published or changed with it since the backup is not restored.'
          : 'This payment was missing from our database, and so was what it paid for. It is being refunded in full. You only need to act if that refund fails: npm run audit reports it.',
    },
    {
      kind: 'facts',
      rows: [
        { label: 'Intent', value: found.intent_id },
        { label: 'Payment', value: found.payment_id },
        { label: 'Payer', value: found.user_id },
        { label: 'Why', value: found.reason },
      ],
    },
    ...(found.outcome === 'rebuilt'
      ? [{ kind: 'button' as const, label: 'See the payment', url: found.appUrl + paths.adminPayment(found.payment_id) }]
      : []),
  ],
});
