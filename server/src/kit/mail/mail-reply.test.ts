import { expect, test } from 'vitest';
import { extractReply } from './mail-reply.ts';

const answer = 'Friday at ten is good.\n\nNgā mihi\nTama';
const quote = '> Can you come on Friday?\n> Mere';

test.each([
  ['Gmail', `${answer}\n\nOn Sat, 21 Nov 2026 at 10:00, Handwise <reply+1s2@reply.example> wrote:\n\n${quote}\n`],
  ['Gmail, where the line was broken', `${answer}\n\nOn Sat, 21 Nov 2026 at 10:00, Handwise\n<reply+1s2@reply.example> wrote:\n${quote}`],
  ['Apple Mail', `${answer}\n\n> On 21/11/2026, at 10:00 AM, Handwise <hello@handwise.example> wrote:\n> \n${quote}`],
  ['a phone', `${answer}\n\nSent from my iPhone\n\nOn 21/11/2026, at 10:00, Handwise wrote:\n\n${quote}`],
  [
    'Outlook',
    `${answer}\r\n________________________________\r\nFrom: Handwise <x@y.example>\r\nSent: Saturday\r\nTo: Tama\r\n\r\nCan you come?`,
  ],
  ['Outlook without its line', `${answer}\n\nFrom: Handwise <x@y.example>\nSent: Saturday\nTo: Tama\nSubject: Re\n\nCan you come?`],
  ['an older Outlook', `${answer}\n\n-----Original Message-----\nFrom: Handwise\n\nCan you come?`],
  ['a signature', `${answer}\n\n-- \nTama Rua, Plumber\n021 123 4567`],
  ['French', `${answer}\n\nLe sam. 21 nov. 2026 à 10:00, Handwise <x@y.example> a écrit :\n${quote}`],
  ['German', `${answer}\n\nAm Sa., 21. Nov. 2026 um 10:00 Uhr schrieb Handwise <x@y.example>:\n${quote}`],
  ['nothing quoted', answer],
  ['lines in between', `Friday at ten is good.\n${quote}\n\nNgā mihi\nTama`],
])('keeps only the written text of a reply from %s', (_, text) => {
  expect(extractReply(text)).toBe(answer);
});

test('keeps sentences that resemble a quote', () => {
  const text = 'On Monday I wrote to you.\nFrom: here it is two hours.\nOn the list: taps, tiles.\n- one\n- two\n5 > 3, really';
  expect(extractReply(text)).toBe(text);
});

test('a mail with only a quote has no reply', () => {
  expect(extractReply(`\n\nOn Sat, 21 Nov 2026 at 10:00, Handwise wrote:\n${quote}`)).toBe('');
  expect(extractReply(quote)).toBe('');
});

test('cuts very long text, and is fast for adversarial text', () => {
  for (const part of ['\n', 'a\n\n', 'a on at ', 'On ', 'On a\n', 'a wrote on ', '<>', '> ', ' ', 'From: a\n', '_', '-']) {
    expect(extractReply(part.repeat(200_000)).length).toBeLessThanOrEqual(20_000);
  }
});
