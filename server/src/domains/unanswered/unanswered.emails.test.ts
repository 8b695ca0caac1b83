import { expect, test } from 'vitest';
import type { Mail } from '../../kit/mail/mail.ts';
import { noAnswerEmail, othersAskedEmail, unansweredStreakEmail, waitingEmail } from './unanswered.emails.ts';

const reader = {
  to: 'mere@example.org',
  name: 'Mere Kīngi',
  appUrl: 'https://handwise.example',
  end: { oneClick: 'https://handwise.example/1', page: 'https://handwise.example/2' },
  title: 'Friendly local plumber',
  sender: 'Tama R.',
  replyTo: undefined,
  isDirect: false,
};
// Noon in Auckland.
const about = { conversationId: 'c1', at: new Date('2027-02-22T23:00:00Z'), timeZone: 'Pacific/Auckland' };
const textsOf = ({ blocks }: Mail) => blocks.flatMap((block) => (block.kind === 'text' || block.kind === 'quote' ? [block.text] : []));
const linksOf = ({ blocks }: Mail) => blocks.flatMap((block) => (block.kind === 'button' ? [`${block.label}: ${block.url}`] : []));

test('the first reminder says what follows, the second that others can be asked now', () => {
  const first = waitingEmail(reader, { ...about, text: 'My tap drips.', isSecond: false });
  expect(first.subject).toBe('Tama R. is waiting for your answer about "Friendly local plumber"');
  expect(textsOf(first)).toEqual([
    'Tama R. wrote to you about “Friendly local plumber” on Feb 23, 2027, 12:00 pm and has no answer yet:',
    'My tap drips.',
    expect.stringMatching(/After 24 hours without one, customers can ask other businesses\.$/),
  ]);
  const second = waitingEmail({ ...reader, replyTo: 'reply@handwise.example' }, { ...about, text: '', isSecond: true });
  expect(second).toMatchObject({
    subject: 'Tama R. is still waiting for your answer about "Friendly local plumber"',
    replyTo: 'reply@handwise.example',
  });
  expect(textsOf(second).slice(1)).toEqual([
    '[a picture]',
    expect.stringMatching(/^Tama R\. can now send the same message to up to three other businesses\./),
  ]);
  for (const mail of [first, second]) {
    expect(linksOf(mail)).toEqual(['Answer: https://handwise.example/messages/c1']);
    expect([mail.to, mail.end]).toEqual([reader.to, reader.end]);
  }
});

test.each([
  [
    2,
    'You can ask others with one tap.',
    /^Two other businesses do this work near you and usually answer\. .* goes to them too/,
    'Ask others',
  ],
  [
    1,
    'You can ask others with one tap.',
    /^One other business does this work near you and usually answers\. .* goes to it too/,
    'Ask others',
  ],
  [0, 'They have been reminded.', /^We found no other business near you/, 'Search again'],
])('a household that can ask %i others is told so', (others, preview, words, label) => {
  const mail = noAnswerEmail({ ...reader, sender: 'Kingi Plumbing' }, { ...about, others });
  expect([mail.subject, mail.preview]).toEqual(['No answer yet from Kingi Plumbing', preview]);
  expect(textsOf(mail)).toEqual([
    expect.stringContaining('of Feb 23, 2027, 12:00 pm. We have reminded them.'),
    expect.stringMatching(words),
  ]);
  expect(linksOf(mail)).toEqual([`${label}: https://handwise.example/${others > 0 ? 'messages/c1' : 'search'}`]);
});

test.each([
  [1, 'to one other business, on'],
  [3, 'to three other businesses, on'],
])('a business that answers late is told that %i others were asked', (asked, words) => {
  const mail = othersAskedEmail(reader, { ...about, asked });
  expect([textsOf(mail), linksOf(mail)]).toEqual([
    [expect.stringContaining(words)],
    ['Open conversation: https://handwise.example/messages/c1'],
  ]);
});

test('a streak without answers says what it costs and how to end it', () => {
  const mail = unansweredStreakEmail(reader, 'c1');
  expect(mail.subject).toMatch(/^[A-Z][a-z]+ customers in a row have no answer from you$/);
  expect(textsOf(mail).join(' ')).toMatch(/waited for more than 24 hours .* come back once you answer again/);
  expect(linksOf(mail)).toEqual(['Open messages: https://handwise.example/messages']);
});
