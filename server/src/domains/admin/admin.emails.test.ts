import { expect, test } from 'vitest';
import type { Mail } from '../../kit/mail/mail.ts';
import { appealAnsweredEmail, decisionEmail, reportAnsweredEmail } from './admin.emails.ts';

const reader = { to: 'mere@example.org', name: 'Mere Kīngi' };
const about = { reason: 'It was spam.', title: 'Friendly local plumber' };
const textsOf = ({ blocks }: Mail) => blocks.flatMap((block) => ('text' in block ? [block.text] : []));
const linksOf = ({ blocks }: Mail) => blocks.flatMap((block) => (block.kind === 'button' ? [block.url] : []));

test('whom a decision concerns reads the reason, and how and for how long to object', () => {
  const mail = decisionEmail(reader, { ...about, decision: 'hide_listing', url: 'https://handwise.example/decision' });
  expect(mail).toMatchObject({
    to: 'mere@example.org',
    subject: expect.stringMatching(/: Friendly local plumber$/),
    greeting: 'Kia ora Mere',
  });
  expect(textsOf(mail)).toEqual([
    expect.any(String),
    'The reason:',
    'It was spam.',
    'Do you think this is wrong? Tell us why, and somebody else will look at it if possible.',
    'You can object once, within 6 months.',
  ]);
  expect(linksOf(mail)).toEqual(['https://handwise.example/decision']);
  // What undoes a decision cannot be objected to.
  const undone = decisionEmail(reader, { ...about, decision: 'show_listing', url: undefined });
  expect([textsOf(undone), linksOf(undone)]).toEqual([[expect.any(String), 'The reason:', 'It was spam.'], []]);
});

test('whoever reported something reads the reason only if nothing was done', () => {
  expect(textsOf(reportAnsweredEmail(reader, { ...about, decision: 'dismiss' }))).toEqual([
    'Thank you for reporting “Friendly local plumber”.',
    expect.any(String),
    'It was spam.',
  ]);
  expect(textsOf(reportAnsweredEmail(reader, { ...about, decision: 'hide_listing' }))).toEqual([
    'Thank you for reporting “Friendly local plumber”.',
    'You were right to tell us: we have acted on it.',
  ]);
});

test.each([
  [true, 'You were right.', 'You were right: we have reversed the decision.'],
  [false, 'The decision stays.', 'We have looked at it again. The decision stays.'],
])('the answer to an objection (upheld: %s) says what becomes of the decision', (upheld, preview, words) => {
  const mail = appealAnsweredEmail(
    reader,
    { upheld, answer: 'We looked again.', title: about.title },
    'https://handwise.example/decisions',
  );
  expect([mail.preview, textsOf(mail), linksOf(mail)]).toEqual([
    preview,
    [words, 'We looked again.'],
    ['https://handwise.example/decisions'],
  ]);
});
