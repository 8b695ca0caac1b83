import { formatDate } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { brandName } from '@handwise/contract/payments/card-brands';
import type { FreeMonth } from '@handwise/contract/plans/calls';
import { renewalHours } from '@handwise/contract/plans/renewal';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { site } from '@handwise/contract/site/site';
import { formatGreeting, type Mail, type MailBlock } from '../../kit/mail/mail.ts';
import { howToStopLink } from '../payments/payments.service.ts';

type Facts = {
  to: string;
  name: string;
  appUrl: string;
  planName: string;
  /** "$25.00 NZD" */
  price: string;
  /** Null if it was removed. */
  card: { brand: string; last4: string } | null;
  /** The next attempt; null if there is none. */
  chargeAt: Date | null;
  endsAt: Date;
  /** Whether the seller pays at once; else their yes is charged when it is due. */
  isPaidAtOnce: boolean;
  timeZone: string;
  /** The free month that pays before the card. */
  free: FreeMonth | null;
  /** False while all its listings are hidden or of closed trades and countries. */
  canRenew: boolean;
};

const day = (at: Date, { timeZone }: Pick<Facts, 'timeZone'>) => formatDate(at, timeZone);

const factRows = (facts: Facts): MailBlock => ({
  kind: 'facts',
  rows: [
    { label: 'Plan', value: `${facts.planName}, ${subscriptionDays} days` },
    {
      label: 'Amount',
      value: facts.free?.needs === null ? `Nothing: your free month pays (else ${facts.price})` : `${facts.price}, GST included`,
    },
    ...(facts.card ? [{ label: 'Card', value: `${brandName(facts.card.brand)} ending in ${facts.card.last4}` }] : []),
    ...(facts.chargeAt ? [{ label: facts.free?.needs === null ? 'Renews on' : 'Charged on', value: day(facts.chargeAt, facts) }] : []),
    { label: 'Current period ends', value: day(facts.endsAt, facts) },
  ],
});

const renewalMail = (
  { to, name, appUrl }: Pick<Facts, 'to' | 'name' | 'appUrl'>,
  { blocks, label, ...mail }: { subject: string; preview: string; blocks: MailBlock[]; label: string },
): Mail => ({
  to,
  ...mail,
  greeting: formatGreeting(name),
  blocks: [...blocks, { kind: 'button', label, url: appUrl + paths.ownListings }, howToStopLink(appUrl)],
});

/** A free month that cannot be used yet. */
const freeNote = ({ free }: Facts): MailBlock[] => {
  if (!free?.needs) return [];
  const needs = free.needs === 'confirmed_address' ? 'confirm your email address' : 'save a card that has not paid for a free month yet';
  return [{ kind: 'text', text: `You have a free month. To use it instead of your card, ${needs} before that day.` }];
};

export const describeOn = (chargeAt: Date, timeZone: string) =>
  `Renewal switched on. The next charge is on ${formatDate(chargeAt, timeZone)}.`;

/** `isAtOnce`: too little time was left to wait before the charge. */
export const renewalOnEmail = (facts: Facts, { isAtOnce = false } = {}): Mail => {
  const off = isAtOnce ? 'switch off the next renewal with one tap in My Listings' : 'switch it off with one tap in My Listings';
  return renewalMail(facts, {
    subject: `Renewal switched on: your ${facts.planName} plan on ${site.name}`,
    preview: `${facts.price} every ${subscriptionDays} days, until you switch it off.`,
    blocks: [
      {
        kind: 'text',
        text: `You switched on the renewal of your ${facts.planName} plan. It now renews every ${subscriptionDays} days, with its listings, until you switch it off.`,
      },
      ...(isAtOnce
        ? [
            {
              kind: 'text' as const,
              text: `Less than ${renewalHours} hours of it were left, so it is charged at once, and you get a receipt. If the charge fails, My Listings says why, and the plan ends on ${day(facts.endsAt, facts)} unless you pay before.`,
            },
          ]
        : []),
      factRows(facts),
      ...freeNote(facts),
      {
        kind: 'text',
        text: `You can ${off} at any time before the charge. If it was not you, switch it off there and change your password.`,
      },
    ],
    label: 'See or switch off the renewal',
  });
};

export const renewalOffEmail = (facts: Facts): Mail =>
  renewalMail(facts, {
    subject: `Renewal switched off: your ${facts.planName} plan on ${site.name}`,
    preview: `The plan ends on ${day(facts.endsAt, facts)}, and nothing more is charged.`,
    blocks: [
      {
        kind: 'text',
        text: `You switched off the renewal of your ${facts.planName} plan. Nothing more is charged for it. The plan and its listings run until ${day(facts.endsAt, facts)}; after that, everything is kept${facts.canRenew ? ' and you can reactivate at any time' : ''}.`,
      },
    ],
    label: 'Open My Listings',
  });

export const renewalEndedByChangeEmail = (
  facts: Pick<Facts, 'to' | 'name' | 'appUrl' | 'planName' | 'endsAt' | 'timeZone'> & { nextPlanName: string },
): Mail => {
  const end = day(facts.endsAt, facts);
  return renewalMail(facts, {
    subject: `The renewal of your ${facts.planName} plan on ${site.name} has ended`,
    preview: `You changed to ${facts.nextPlanName}, so nothing more is charged for ${facts.planName}.`,
    blocks: [
      {
        kind: 'text',
        text: `You changed your plan from ${facts.planName} to ${facts.nextPlanName}, and the renewal of the ${facts.planName} plan ended with it. Nothing more is charged for it. Your ${facts.nextPlanName} plan runs until ${end} and ends then, unless you switch its renewal on.`,
      },
    ],
    label: 'Open My Listings',
  });
};

/** Sent before the charge. */
export const renewalNoticeEmail = (facts: Facts): Mail => {
  const when = day(facts.chargeAt ?? facts.endsAt, facts);
  const isFree = facts.free?.needs === null;
  return renewalMail(facts, {
    subject: isFree
      ? `Your ${facts.planName} plan renews on ${when} with your free month`
      : `Your ${facts.planName} plan renews on ${when} for ${facts.price}`,
    preview: `Switch it off before then if you don’t want that.`,
    blocks: [
      {
        kind: 'text',
        text: `Your ${facts.planName} plan on ${site.name} is going to renew for another ${subscriptionDays} days, as you asked. There is nothing to do.`,
      },
      factRows(facts),
      ...freeNote(facts),
      { kind: 'text', text: 'If you don’t want this, switch the renewal off with one tap before that day.' },
    ],
    label: 'See or switch off the renewal',
  });
};

export function renewalFailedEmail(facts: Facts, { problem, needsAction }: { problem: string; needsAction: boolean }): Mail {
  const { appUrl, price, isPaidAtOnce, canRenew } = facts;
  const ending = `plan ends on ${day(facts.endsAt, facts)}${canRenew ? ` unless you ${isPaidAtOnce ? 'pay' : 'renew it'} before` : ''}`;
  const next = facts.chargeAt
    ? `We try again on ${day(facts.chargeAt, facts)}. If that fails too, the ${ending}.`
    : `We don’t try again by ourselves. The ${ending}.`;
  const pay = isPaidAtOnce ? `Pay ${price} now` : `Renew for ${price}`;
  return renewalMail(facts, {
    subject: needsAction
      ? `Confirm the renewal of your ${facts.planName} plan on ${site.name}`
      : `The renewal of your ${facts.planName} plan on ${site.name} was not charged`,
    preview: problem,
    blocks: [
      { kind: 'text', text: `We could not renew your ${facts.planName} plan. ${problem}` },
      factRows({ ...facts, chargeAt: null, free: null }),
      { kind: 'text', text: next },
      {
        kind: 'links',
        rows: [
          ...(canRenew
            ? [
                {
                  label: 'Add a card',
                  url: `${appUrl}${paths.addCard}?redirect=${paths.ownListings}`,
                  text: 'saving one charges nothing',
                },
              ]
            : []),
          { label: 'Switch off renewal', url: appUrl + paths.ownListings, text: 'one tap in My Listings, and nothing more is charged' },
        ],
      },
    ],
    label: !canRenew ? 'Open My Listings' : needsAction ? 'Confirm and pay' : pay,
  });
}

/** After a plan has ended that its seller expected to be renewed. `listings` can be renewed; the button opens the payment, where one tap pays. */
export function notRenewedEmail(
  facts: Facts,
  { reason, listings: [first, ...others] }: { reason: string; listings: readonly { id: string; title: string }[] },
): Mail {
  const { to, name, appUrl, planName } = facts;
  const button = (label: string, path: string): MailBlock => ({ kind: 'button', label, url: appUrl + path });
  return {
    to,
    subject: `Your ${planName} plan on ${site.name} has ended and was not renewed`,
    preview: reason,
    greeting: formatGreeting(name),
    blocks: [
      { kind: 'text', text: `Your ${planName} plan was going to renew, but it ended on ${day(facts.endsAt, facts)}. ${reason}` },
      {
        kind: 'text',
        text: `The text, photos and reviews of your listings are kept.${first ? ' Renew now, and people find you again straight away.' : ''}`,
      },
      ...(first
        ? [button(`Renew for ${facts.price}`, `${paths.reactivateListing(first.id)}?step=2`)]
        : [button('Open My Listings', paths.ownListings)]),
      ...others.map(({ id, title }) => button(`Reactivate “${title}”`, paths.reactivateListing(id))),
    ],
  };
}

/** Instead of a receipt. */
export const renewedForFreeEmail = (facts: Facts): Mail =>
  renewalMail(facts, {
    subject: `Your ${facts.planName} plan on ${site.name} is renewed with your free month`,
    preview: `It runs until ${day(facts.endsAt, facts)}. Nothing was charged.`,
    blocks: [
      {
        kind: 'text',
        text: `Your free month renewed your ${facts.planName} plan, so nothing was charged. The plan and its listings now run until ${day(facts.endsAt, facts)}.`,
      },
      factRows(facts),
    ],
    label: 'See or switch off the next renewal',
  });
