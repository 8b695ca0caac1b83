import { referralDomainDays } from '@handwise/contract/periods';

/** At which step a rule is asked: a code comes with a registration or is entered at the payment step, or the first listing is live. */
export type Scope = 'registration' | 'payment_step' | 'conversion';
/** It never counts; it waits for an administrator; it is kept for them to see. */
export type Severity = 'reject' | 'hold' | 'watch';

/**
 * What is known of the two people of a referral and of their tree: everyone who is connected to them by referrals. The account itself is not
 * among the others.
 */
export type Facts = {
  isOwnCode: boolean;
  isSameMailbox: boolean;
  isDisposable: boolean;
  /** Whether somebody else was referred who reads the same mailbox. */
  isMailboxUsed: boolean;
  /** Of how many people the ring is that the referral would close; 0 where it closes none. */
  ring: number;
  /** Whether another account of the tree has the same mailbox, beside the referrer’s. */
  sharesMailbox: boolean;
  /** Whether another account of the tree has saved or paid with the same card, or was used in the same browser. */
  sharesCard: boolean;
  sharesDevice: boolean;
  /** How many others of the tree came from the same network within a day, and with the same private mail domain within 30 days. */
  fromNetwork: number;
  fromDomain: number;
  /** How many others came by the code within an hour. */
  withinHour: number;
  /** Whether the referred account has paid with a card that no other account of the tree uses. */
  hasPaidAlone: boolean;
};

type Rule = {
  name: string;
  scopes: readonly Scope[];
  severity: Severity;
  /** A hold that time never approves: it ends by a decision, by a payment with a card of one's own, or by lapsing. */
  lapses?: true;
  applies: (facts: Facts) => boolean;
  /** As the people concerned and administrators read it. */
  text: string;
};

/** So many others of the tree may come from one network within a day, or with one mail domain within 30 days. */
const freeOfTree = 1;
/** So many others may come by a code within an hour. */
const freeWithinHour = 10;

const entering = ['registration', 'payment_step'] as const;
const always = ['registration', 'payment_step', 'conversion'] as const;

/** The rules against abuse, the gravest first. What is held or refused says by `text` why. */
const rules = [
  {
    name: 'own_code',
    scopes: entering,
    severity: 'reject',
    applies: ({ isOwnCode }) => isOwnCode,
    text: 'The account used its own code.',
  },
  {
    name: 'same_mailbox',
    scopes: always,
    severity: 'reject',
    applies: ({ isSameMailbox }) => isSameMailbox,
    text: 'Both accounts have the same mailbox.',
  },
  {
    name: 'mailbox_used',
    scopes: entering,
    severity: 'reject',
    applies: ({ isMailboxUsed }) => isMailboxUsed,
    text: 'Another account with this mailbox has already used a code.',
  },
  {
    name: 'mailbox_of_tree',
    scopes: always,
    severity: 'reject',
    applies: ({ sharesMailbox }) => sharesMailbox,
    text: 'An account that is connected by referrals has the same mailbox.',
  },
  {
    name: 'disposable_address',
    scopes: always,
    severity: 'reject',
    applies: (facts) => facts.isDisposable,
    text: 'One of the two email addresses is a throwaway one.',
  },
  {
    name: 'mutual_codes',
    scopes: entering,
    severity: 'reject',
    applies: ({ ring }) => ring === 2,
    text: 'The two accounts used each other’s codes.',
  },
  {
    name: 'ring',
    scopes: entering,
    severity: 'reject',
    applies: ({ ring }) => ring > 2,
    text: 'The codes of several accounts form a circle.',
  },
  {
    name: 'same_card',
    scopes: always,
    severity: 'hold',
    lapses: true,
    applies: ({ sharesCard }) => sharesCard,
    text: 'An account that is connected by referrals has used the same card.',
  },
  {
    name: 'same_device',
    scopes: always,
    severity: 'hold',
    lapses: true,
    applies: ({ sharesDevice }) => sharesDevice,
    text: 'An account that is connected by referrals has been used in the same browser.',
  },
  {
    name: 'many_from_network',
    scopes: always,
    severity: 'hold',
    lapses: true,
    applies: ({ fromNetwork }) => fromNetwork > freeOfTree,
    text: 'Several accounts that are connected by referrals signed up from one network within a day.',
  },
  {
    name: 'many_from_domain',
    scopes: always,
    severity: 'hold',
    lapses: true,
    applies: ({ fromDomain }) => fromDomain > freeOfTree,
    text: `Several accounts that are connected by referrals signed up with email addresses of one domain within ${referralDomainDays} days.`,
  },
  {
    name: 'fast_sign_ups',
    scopes: entering,
    severity: 'hold',
    applies: ({ withinHour }) => withinHour >= freeWithinHour,
    text: 'Many accounts signed up with this code within an hour.',
  },
  {
    name: 'second_from_network',
    scopes: entering,
    severity: 'watch',
    applies: ({ fromNetwork }) => fromNetwork > 0 && fromNetwork <= freeOfTree,
    text: 'Another account that is connected by referrals signed up from the same network within a day.',
  },
] as const satisfies readonly Rule[];

export type Judgement = {
  severity: Severity | null;
  findings: { rule: (typeof rules)[number]['name']; severity: Severity }[];
  /** Why it is refused or held, in sentences; empty where it counts. */
  because: string;
  /** Whether a hold ends by lapsing, not by approval, where nobody decides. */
  lapses: boolean;
};

const gravity = ['watch', 'hold', 'reject'] as const;

/** What the rules of a step say of these facts. The gravest finding decides. */
export function judge(scope: Scope, facts: Facts): Judgement {
  const isCleared = (rule: Rule) => rule.lapses === true && facts.hasPaidAlone;
  const found = rules.filter((rule: Rule) => rule.scopes.includes(scope) && rule.applies(facts) && !isCleared(rule));
  const severity = gravity.findLast((one) => found.some((rule) => rule.severity === one)) ?? null;
  const deciding = severity === 'watch' ? [] : found.filter((rule) => rule.severity === severity);
  return {
    severity,
    findings: found.map((rule) => ({ rule: rule.name, severity: rule.severity })),
    because: deciding.map(({ text }) => text).join(' '),
    lapses: deciding.some((rule: Rule) => rule.lapses === true),
  };
}

/** What a rule says, also one that is no longer asked. */
export const textOfRule = (name: string) => rules.find((rule) => rule.name === name)?.text ?? name;
