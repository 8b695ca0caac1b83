/** At which step a rule is asked: a code comes with a registration or is entered at the payment step, or the first listing is live. */
export type Scope = 'registration' | 'payment_step' | 'conversion';
/** It never counts; it waits for an administrator; it is kept for them to see. */
export type Severity = 'reject' | 'hold' | 'watch';

/** What is known of the two people of a referral, and of others who came by the same code. */
export type Facts = {
  isOwnCode: boolean;
  isSameMailbox: boolean;
  isDisposable: boolean;
  /** Whether somebody else was referred who reads the same mailbox. */
  isMailboxUsed: boolean;
  /** Of how many people the ring is that the referral would close; 0 where it closes none. */
  ring: number;
  haveSharedCard: boolean;
  haveSharedDevice: boolean;
  /** How many others came by the code: from the same browser, from the same network within a day, from anywhere within an hour. */
  fromDevice: number;
  fromNetwork: number;
  withinHour: number;
};

type Rule = {
  name: string;
  scopes: readonly Scope[];
  severity: Severity;
  applies: (facts: Facts) => boolean;
  /** As the people concerned and administrators read it. */
  text: string;
};

/** So many others may have come by a code from one network within a day, and from anywhere within an hour, before the next is held. */
const freeFromNetwork = 2;
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
    applies: (facts) => facts.haveSharedCard,
    text: 'Both accounts have used the same card.',
  },
  {
    name: 'same_device',
    scopes: always,
    severity: 'hold',
    applies: (facts) => facts.haveSharedDevice,
    text: 'Both accounts have been used in the same browser.',
  },
  {
    name: 'several_from_device',
    scopes: entering,
    severity: 'hold',
    applies: ({ fromDevice }) => fromDevice > 0,
    text: 'Another account that signed up with this code was used in the same browser.',
  },
  {
    name: 'many_from_network',
    scopes: entering,
    severity: 'hold',
    applies: ({ fromNetwork }) => fromNetwork >= freeFromNetwork,
    text: 'Several accounts from one network signed up with this code within a day.',
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
    applies: ({ fromNetwork }) => fromNetwork > 0 && fromNetwork < freeFromNetwork,
    text: 'Another account from the same network signed up with this code within a day.',
  },
] as const satisfies readonly Rule[];

export type Judgement = {
  severity: Severity | null;
  findings: { rule: (typeof rules)[number]['name']; severity: Severity }[];
  /** Why it is refused or held, in sentences; empty where it counts. */
  because: string;
};

const gravity = ['watch', 'hold', 'reject'] as const;

/** What the rules of a step say of these facts. The gravest finding decides. */
export function judge(scope: Scope, facts: Facts): Judgement {
  const found = rules.filter((rule: Rule) => rule.scopes.includes(scope) && rule.applies(facts));
  const severity = gravity.findLast((one) => found.some((rule) => rule.severity === one)) ?? null;
  const deciding = severity === 'watch' ? [] : found.filter((rule) => rule.severity === severity);
  return {
    severity,
    findings: found.map((rule) => ({ rule: rule.name, severity: rule.severity })),
    because: deciding.map(({ text }) => text).join(' '),
  };
}

/** What a rule says, also one that is no longer asked. */
export const textOfRule = (name: string) => rules.find((rule) => rule.name === name)?.text ?? name;
