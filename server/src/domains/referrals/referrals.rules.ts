import { referralDomainDays } from '@handwise/contract/periods';

/** When a rule applies: registering with a code, entering one at the payment step, or the first listing going live. */
export type Scope = 'registration' | 'payment_step' | 'conversion';
/** reject: never counts; hold: waits for an administrator; watch: recorded for administrators only. */
export type Severity = 'reject' | 'hold' | 'watch';

/** About the two people of a referral and their tree: all accounts connected to them by referrals. Counts leave out the referred account. */
export type Facts = {
  isOwnCode: boolean;
  isSameMailbox: boolean;
  isDisposable: boolean;
  /** Whether another referred user has the same mailbox. */
  isMailboxUsed: boolean;
  /** How many people the ring has that the referral would close; 0 if it closes none. */
  ring: number;
  /** Whether another account of the tree has the same mailbox, beside the referrer’s. */
  sharesMailbox: boolean;
  /** Whether another account of the tree has saved or paid with the same card, or was used in the same browser. */
  sharesCard: boolean;
  sharesDevice: boolean;
  /** Others of the tree from the same network within a day, and with the same private mail domain within 30 days. */
  fromNetwork: number;
  fromDomain: number;
  /** Others of any tree who used a code: from the same network or IPv6 /48 within a day, and with the same private mail domain within 30 days. */
  codesFromNetwork: number;
  codesFromBlock: number;
  codesFromDomain: number;
  /** Others who used the code within an hour. */
  withinHour: number;
  /** Whether the referred account has paid with a card that no other account of the tree uses. */
  hasPaidAlone: boolean;
};

type Rule = {
  name: string;
  scopes: readonly Scope[];
  severity: Severity;
  /** Time never approves the hold: it ends by a decision, a payment with a card of one's own, or by lapsing. */
  lapses?: true;
  applies: (facts: Facts) => boolean;
  /** Shown to both people and to administrators. */
  text: string;
};

/** How many others of the tree may share a network within a day, or a mail domain within 30 days. */
const allowedInTree = 1;
/** How many other accounts of any tree may use a code from one network or IPv6 /48 within a day, or with one mail domain within 30 days. */
const allowedAcrossTrees = { network: 1, block: 8, domain: 1 };
/** How many others may use a code within an hour. */
const allowedWithinHour = 10;

const entering = ['registration', 'payment_step'] as const;
const always = ['registration', 'payment_step', 'conversion'] as const;

/** The abuse rules, most severe first. */
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
    applies: ({ fromNetwork }) => fromNetwork > allowedInTree,
    text: 'Several accounts that are connected by referrals signed up from one network within a day.',
  },
  {
    name: 'many_from_domain',
    scopes: always,
    severity: 'hold',
    lapses: true,
    applies: ({ fromDomain }) => fromDomain > allowedInTree,
    text: `Several accounts that are connected by referrals signed up with email addresses of one domain within ${referralDomainDays} days.`,
  },
  {
    name: 'codes_from_network',
    scopes: entering,
    severity: 'hold',
    lapses: true,
    applies: ({ codesFromNetwork, fromNetwork }) => codesFromNetwork > allowedAcrossTrees.network && fromNetwork <= allowedInTree,
    text: 'Several accounts used referral codes from one network within a day.',
  },
  {
    name: 'codes_from_block',
    scopes: entering,
    severity: 'hold',
    lapses: true,
    applies: ({ codesFromBlock, codesFromNetwork }) =>
      codesFromBlock > allowedAcrossTrees.block && codesFromNetwork <= allowedAcrossTrees.network,
    text: 'Many accounts used referral codes from one range of networks within a day.',
  },
  {
    name: 'codes_from_domain',
    scopes: entering,
    severity: 'hold',
    lapses: true,
    applies: ({ codesFromDomain, fromDomain }) => codesFromDomain > allowedAcrossTrees.domain && fromDomain <= allowedInTree,
    text: `Several accounts used referral codes with email addresses of one domain within ${referralDomainDays} days.`,
  },
  {
    name: 'fast_sign_ups',
    scopes: entering,
    severity: 'hold',
    applies: ({ withinHour }) => withinHour >= allowedWithinHour,
    text: 'Many accounts signed up with this code within an hour.',
  },
  {
    name: 'second_from_network',
    scopes: entering,
    severity: 'watch',
    applies: ({ fromNetwork }) => fromNetwork > 0 && fromNetwork <= allowedInTree,
    text: 'Another account that is connected by referrals signed up from the same network within a day.',
  },
] as const satisfies readonly Rule[];

export type Verdict = {
  severity: Severity | null;
  findings: { rule: (typeof rules)[number]['name']; severity: Severity }[];
  /** Why it is rejected or held, in sentences; empty if it counts. */
  because: string;
  /** Whether an undecided hold lapses instead of being approved. */
  lapses: boolean;
};

const severities = ['watch', 'hold', 'reject'] as const;

/** The most severe finding decides. */
export function evaluateRules(scope: Scope, facts: Facts): Verdict {
  const isCleared = (rule: Rule) => rule.lapses === true && facts.hasPaidAlone;
  const found = rules.filter((rule: Rule) => rule.scopes.includes(scope) && rule.applies(facts) && !isCleared(rule));
  const severity = severities.findLast((one) => found.some((rule) => rule.severity === one)) ?? null;
  const deciding = severity === 'watch' ? [] : found.filter((rule) => rule.severity === severity);
  return {
    severity,
    findings: found.map((rule) => ({ rule: rule.name, severity: rule.severity })),
    because: deciding.map(({ text }) => text).join(' '),
    lapses: deciding.some((rule: Rule) => rule.lapses === true),
  };
}

/** Falls back to the name for rules that no longer exist. */
export const describeRule = (name: string) => rules.find((rule) => rule.name === name)?.text ?? name;

/** `REF-` and the first three letters of the user name in upper case, padded with X. */
export function referralCodePrefix(username: string): string {
  const letters = username
    .replace(/[^a-z]/gi, '')
    .slice(0, 3)
    .toUpperCase();
  return `REF-${letters.padEnd(3, 'X')}-`;
}

/** The number after the prefix: four digits, one more per collision. `random` returns a whole number below the bound. */
export function referralCodeNumber(attempt: number, random: (bound: number) => number): string {
  const digits = 4 + attempt;
  return String(random(10 ** digits)).padStart(digits, '0');
}
