import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { automatedDecisions } from '@handwise/contract/site/automated-decisions';
import { voidReasons } from '@handwise/proof/void-reasons';

// What the product decides by itself, beside what the privacy page says. What is found in the code and not here fails.

type Id = (typeof automatedDecisions)[number]['id'];

const server = join(import.meta.dirname, '../src');
const read = (path: string) => readFileSync(join(server, path), 'utf8');
const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => [path, read(path)] as const);
const textOf = (id: Id) => {
  const { how, data } = automatedDecisions.find((one) => one.id === id) ?? { how: '', data: '' };
  return `${how} ${data}`;
};

/** Each rule that refuses or holds a referral, with the words that tell people about it. */
const referralRules: Record<string, RegExp> = {
  own_code: /one person/,
  same_mailbox: /mailboxes/,
  mailbox_used: /mailboxes/,
  mailbox_of_tree: /mailboxes/,
  disposable_address: /throwaway/,
  mutual_codes: /circle/,
  ring: /circle/,
  same_card: /cards/,
  same_device: /browsers/,
  many_from_network: /networks/,
  many_from_domain: /email domains/,
  codes_from_network: /networks/,
  codes_from_block: /networks/,
  codes_from_domain: /email domains/,
  fast_sign_ups: /who used whose code and when/,
  // For administrators only: it decides nothing.
  second_from_network: /./,
};

test('every rule about referrals is told', () => {
  const names = [...read('domains/referrals/referrals.rules.ts').matchAll(/^ {4}name: '(\w+)'/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(referralRules));
  for (const [rule, words] of Object.entries(referralRules)) expect([rule, words.test(textOf('referrals'))]).toEqual([rule, true]);
});

/** Why tickets are void; null if a person decides it. */
const reasons: Record<(typeof voidReasons)[number], RegExp | null> = {
  administrator: null,
  suspended: null,
  deleted: /account is deleted/,
  swapped: /swap them/,
  fraud: /fraud/,
  unconfirmed: /not confirmed/,
};

test('every reason for which a program voids tickets is told', () => {
  const untold = voidReasons.filter((reason) => !(reasons[reason]?.test(textOf('tickets')) ?? true));
  expect(untold).toEqual([]);
  expect(Object.keys(reasons).toSorted((a, b) => a.localeCompare(b))).toEqual([...voidReasons].toSorted((a, b) => a.localeCompare(b)));
});

const flags: Record<string, RegExp> = {
  flagSamePerson: /shares a browser or a card/,
  flagReviewBurst: /many reviews of one seller/,
  flagSameText: /the same message to many sellers/,
  flagSharedNumber: /business number that two accounts give/,
};

test('everything that a program reports to moderators is told', () => {
  const found = [...read('domains/admin/admin.flags.ts').matchAll(/^export (?:const|async function) (flag\w+)/gm)].map(([, name]) => name);
  expect(found).toEqual(Object.keys(flags));
  for (const [name, words] of Object.entries(flags)) expect([name, words.test(textOf('flags'))]).toEqual([name, true]);
});

/** The limits by the names of their counters. Those that are null say nothing about a person: they protect public addresses from robots. */
const limits: Record<string, Id | null> = {
  'address-by': 'sending',
  'confirm-from': 'sign-in',
  'export-by': 'sending',
  'register-from': 'sending',
  'decision-link': 'sign-in',
  report: 'sending',
  'numbers-from': null,
  'conversations-by': 'sending',
  'quotes-by': 'sending',
  'review-photos-by': 'sending',
  'messages-by': 'sending',
  'quotes-sent-by': 'sending',
  'referral-code-by': 'sending',
  'referral-check-from': null,
  'passkey-from': 'sign-in',
  'reset-from': 'sign-in',
  'provider-from': 'sign-in',
  'visits-by': 'sending',
  'contact by': 'sending',
  'ticket-log-from': null,
  'whole-ticket-log-from': null,
};

test('every limit on people is told', () => {
  const found = sources.flatMap(([, text]) =>
    [...text.matchAll(/countAttempt\([\w.]+,\s*`([\w-]+(?: by)?)[: ]/g)].map(([, name = '']) => name),
  );
  const unknown = [...new Set(found)].filter((name) => !(name in limits));
  expect(unknown).toEqual([]);
  expect(Object.keys(limits).filter((name) => !found.includes(name))).toEqual([]);
});

test('each decision says which data it uses and how a person looks again', () => {
  for (const { id, decision, how, data, again } of automatedDecisions)
    expect([id, [decision, how, data, again].every((text) => text.length > 15)]).toEqual([id, true]);
});
