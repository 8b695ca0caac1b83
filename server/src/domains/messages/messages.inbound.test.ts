import { expect, test } from 'vitest';
import { renderMail } from '../../kit/mail/mail-layout.ts';
import type { OwnText } from '../../kit/mail/mail-own-lines.ts';
import { extractReply } from '../../kit/mail/mail-reply.ts';
import { listOwnSentences, unseenMessagesEmail } from './messages.emails.ts';

const appUrl = 'https://handwise.example';
const token = '6f1c2a9e-0b8d-4c1e-9f56-1a2b3c4d5e6f.messages.0123456789abcdef0123456789abcdef';
const replyTo = 'reply+6f1c2a9e0b8d4c1e9f561a2b3c4d5e6fs0123456789abcdef0123@reply.handwise.example';
const subject = 'A new message about "Bathroom taps fixed"';
const theirs =
  'Can you come on Friday?\nThe tap in the bathroom drips and the hot water takes a long time to arrive, so I would like both of them looked at.\nMere';
const notification = renderMail(
  unseenMessagesEmail(
    {
      to: 'tama@rua.example',
      name: 'Tama Rua',
      appUrl,
      end: { page: `${appUrl}/mails/end?token=${token}`, oneClick: `${appUrl}/api/mails/end?token=${token}` },
    },
    { conversationId: '6f1c2a9e-0b8d-4c1e-9f56-1a2b3c4d5e6f', title: 'Bathroom taps fixed', sender: 'Mere K.', replyTo },
    [{ text: theirs, warnings: [], pictures: 0, pdf: null, quote: null }],
    false,
  ),
  appUrl,
);
const own: OwnText = {
  appUrl,
  reader: 'Tama Rua',
  ourAddresses: [replyTo, 'hello@handwise.example'],
  privateAddresses: ['tama@rua.example', 'mere@kingi.example'],
  secrets: [token, replyTo.split('@')[0] ?? ''],
  sentences: listOwnSentences({ sender: 'Mere K.', title: 'Bathroom taps fixed', replyTo }),
  messages: ['Bathroom taps fixed', theirs],
  subject: `Re: ${subject}`,
};
const answer = 'Friday at ten is good.\n\nI bring two taps:\n----------\nMixer $140\nPillar $90';
const asHtml = answer
  .split('\n')
  .map((line) => `<div>${line || '<br>'}</div>`)
  .join('');

const marked = (text: string, mark = '> ') => text.replaceAll(/^/gm, mark).replaceAll(/[ \t]+$/gm, '');
/** As mail programs break long lines. */
const broken = (text: string, width = 72) =>
  text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${width}}(?:\\s|$)|.{${width}}|^$`, 'g')) ?? [])
    .map((line) => line.trimEnd())
    .join('\n');
const body = notification.html.replace(/^[\s\S]*?<body[^>]*>/, '').replace(/<\/body>[\s\S]*$/, '');
/** The mail as its words, for programs that quote without marks. */
const bare = notification.text.replaceAll(/^> /gm, '');
const from = 'Handwise <hello@handwise.example>';

const textOf = (reply: { text?: string; html?: string }, more: Partial<OwnText> = {}) =>
  extractReply({ text: reply.text ?? '', html: reply.html ?? '' }, { ...own, ...more }).text;

const introductions = {
  'Gmail in English': `On Sun, 29 Nov 2026 at 21:17, ${from} wrote:`,
  'Gmail, broken': 'On Sun, 29 Nov 2026 at 21:17, Handwise\n<hello@handwise.example> wrote:',
  'Gmail in Japanese': `2026年11月29日(日) 21:17 ${from}:`,
  'Gmail in Chinese': `${from} 于2026年11月29日周日 21:17写道：`,
  'Gmail in Korean': `2026년 11월 29일 (일) 오후 9:17, ${from}님이 작성:`,
  'Gmail in Arabic':
    '\u202bفي الأحد، ٢٩ نوفمبر ٢٠٢٦ في ٩:١٧ م تمت كتابة ما يلي بواسطة \u202aHandwise\u202c\u200f <\u202ahello@handwise.example\u202c\u200f>:\u202c',
  'Gmail in Hebrew':
    '\u202bבתאריך יום א׳, 29 בנוב׳ 2026 ב-21:17 מאת \u202aHandwise\u202c\u200f <\u202ahello@handwise.example\u202c\u200f>:\u202c',
  'Gmail in German': `Am So., 29. Nov. 2026 um 21:17 Uhr schrieb ${from}:`,
  'Gmail in French': `Le dim. 29 nov. 2026 à 21:17, ${from} a écrit :`,
  'Gmail in Turkish': `${from}, 29 Kas 2026 Paz, 21:17 tarihinde şunu yazdı:`,
  'Gmail in Russian': `вс, 29 нояб. 2026 г. в 21:17, ${from}:`,
  'Gmail in Polish': `niedz., 29 lis 2026 o 21:17 ${from} napisał(a):`,
  'Gmail in Thai': `ในวันที่ อา. 29 พ.ย. 2026 เวลา 21:17 ${from} เขียนว่า:`,
  'Gmail in Hindi': `रवि, 29 नव॰ 2026 को 9:17 pm बजे को ${from} ने लिखा:`,
  'Apple Mail': `On 29 Nov 2026, at 9:17 PM, ${from} wrote:`,
  'Apple Mail in Spanish': `El 29 nov 2026, a las 21:17, ${from} escribió:`,
  'Gmail, broken in the address': '2026-11-29 21:17 GMT+13:00 A very long name of an author <\nhello@handwise.example>:',
  Thunderbird: 'On 29/11/2026 9:17 pm, Handwise wrote:',
  'Thunderbird in German': 'Am 29.11.2026 um 21:17 schrieb Handwise:',
  Yahoo: `On Sunday, 29 November 2026 at 09:17:00 pm NZDT, ${from} wrote:`,
  'Proton Mail': `On Sunday, November 29th, 2026 at 9:17 PM, ${from} wrote:`,
  'Delta Chat, without any name': 'On Sun, Nov 29, 2026 at 21:17, somebody wrote:',
};

test.each(Object.entries(introductions))('finds the marked quote of %s', (_, introduction) => {
  const quote = `${introduction}\n\n${marked(broken(notification.text))}`;
  expect(textOf({ text: `${answer}\n\n${quote}` })).toBe(answer);
  expect(textOf({ text: `${answer}\r\n${quote.replaceAll('\n', '\r\n')}\r\n` })).toBe(answer);
  // The answer below the quote, on both sides of it, and none at all.
  expect(textOf({ text: `${quote}\n\n${answer}` })).toBe(answer);
  expect(textOf({ text: `Hello,\n\n${quote}\n\n${answer}\n` })).toBe(`Hello,\n\n${answer}`);
  expect(textOf({ text: `\n\n${quote}` })).toBe('');
  expect(textOf({ text: `${answer}\n\n${marked(`${introduction}\n\n${notification.text}`)}` })).toBe(answer);
});

test.each(Object.entries(introductions))('finds the quote of %s if it is not marked', (_, introduction) => {
  for (const quoted of [bare, broken(bare, 60)]) {
    expect(textOf({ text: `${answer}\n\n${introduction}\n\n${quoted}` })).toBe(answer);
    expect(textOf({ text: `${introduction}\n${quoted}\n\n${answer}` })).toBe(answer);
  }
});

const headers = {
  'Outlook in English': `From: ${from}\nSent: Sunday, 29 November 2026 9:17 PM\nTo: Tama Rua <tama@rua.example>\nSubject: ${subject}`,
  'Outlook in German': `Von: ${from}\nGesendet: Sonntag, 29. November 2026 21:17\nAn: Tama Rua <tama@rua.example>\nBetreff: ${subject}`,
  'Outlook in French': `De : ${from}\nEnvoyé : dimanche 29 novembre 2026 21:17\nÀ : Tama Rua <tama@rua.example>\nObjet : ${subject}`,
  'Outlook in Danish': `Fra: ${from}\nSendt: 29. november 2026 21:17\nTil: Tama Rua <tama@rua.example>\nEmne: ${subject}`,
  'Outlook in Japanese': `差出人: ${from}\n送信日時: 2026年11月29日 21:17\n宛先: Tama Rua <tama@rua.example>\n件名: ${subject}`,
  'Outlook in Chinese': `发件人： ${from}\n发送时间： 2026年11月29日 21:17\n收件人： Tama Rua <tama@rua.example>\n主题： ${subject}`,
  'Outlook in Vietnamese': `Từ: ${from}\nĐã gửi: Chủ nhật, 29 tháng 11, 2026 21:17\nĐến: Tama Rua <tama@rua.example>\nChủ đề: ${subject}`,
  'Outlook in Arabic': `من: ${from}\nتم الإرسال: 29 نوفمبر, 2026 21:17\nإلى: Tama Rua <tama@rua.example>\nالموضوع: ${subject}`,
  'Outlook in bold': `*From:* ${from}\n*Sent:* Sunday, 29 November 2026 9:17 PM\n*To:* Tama Rua <tama@rua.example>\n*Subject:* ${subject}`,
  'Outlook with square brackets': `From: Handwise [hello@handwise.example]\nSent: Sunday, 29 November 2026 9:17 p.m.\nTo: Tama Rua\nSubject: ${subject}`,
  Samsung: `-------- Original message --------\nFrom: ${from}\nDate: 29/11/26 21:17 (GMT+12:00)\nTo: tama@rua.example\nSubject: ${subject}`,
  'Samsung in German': `-------- Ursprüngliche Nachricht --------\nVon: ${from}\nDatum: 29.11.26 21:17 (GMT+12:00)\nAn: tama@rua.example\nBetreff: ${subject}`,
  QQ: `------------------ 原始邮件 ------------------\n发件人: "Handwise" <hello@handwise.example>;\n发送时间: 2026年11月29日(星期天) 晚上9:17\n收件人: "tama"<tama@rua.example>;\n主题: ${subject}`,
};

test.each(Object.entries(headers))('finds the quote below the header block of %s', (_, block) => {
  expect(textOf({ text: `${answer}\n\n________________________________\n${block}\n\n${bare}` })).toBe(answer);
  expect(textOf({ text: `${answer}\n${block}\n\n${broken(bare)}` })).toBe(answer);
  expect(textOf({ text: `${block}\n\n${bare}\n\n${answer}` })).toBe(answer);
  expect(textOf({ text: `\n${block}\n\n${bare}` })).toBe('');
  const lines = `${block}\n\n${bare}`.split('\n').map((line) => `<p class="MsoNormal">${line.replaceAll('<', '&lt;')}</p>`);
  expect(
    textOf({
      html: `${asHtml}<div>${block.replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</div><br>${lines.slice(block.split('\n').length).join('')}`,
    }),
  ).toBe(answer);
});

test.each([
  [
    'Gmail',
    `${asHtml}<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">2026年11月29日 &lt;<a href="mailto:hello@handwise.example">hello@handwise.example</a>&gt;:<br></div><blockquote class="gmail_quote" style="margin:0">${body}</blockquote></div>`,
  ],
  [
    'Apple Mail',
    `<html><body dir="auto">${asHtml}<div><br><blockquote type="cite"><div>On 29 Nov 2026, at 9:17 PM, Handwise &lt;hello@handwise.example&gt; wrote:</div><br><div>${body}</div></blockquote></div></body></html>`,
  ],
  [
    'Yahoo',
    `<div class="ydp1">${asHtml}</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Sunday, Handwise wrote:</div>${body}</div>`,
  ],
  [
    'Proton Mail',
    `${asHtml}<div class="protonmail_quote">On Sunday, Handwise wrote:<br><blockquote class="protonmail_quote" type="cite">${body}</blockquote></div>`,
  ],
  [
    'Thunderbird',
    `${asHtml}<div class="moz-cite-prefix">Am 29.11.2026 um 21:17 schrieb Handwise:<br></div><blockquote type="cite" cite="mid:1">${body}</blockquote>`,
  ],
  [
    'Outlook on the web',
    `${asHtml}<div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>Von:</b> Handwise &lt;hello@handwise.example&gt;<br><b>Gesendet:</b> Sonntag, 29. November 2026 21:17<br><b>An:</b> Tama Rua &lt;tama@rua.example&gt;<br><b>Betreff:</b> ${subject}</div><div>&nbsp;</div><div>${body}</div>`,
  ],
  ['a program that marks nothing', `${asHtml}${body}`],
])('finds the quote in the HTML of %s', (_, html) => {
  expect(textOf({ html })).toBe(answer);
  expect(textOf({ html: html.replace(asHtml, '') })).toBe('');
});

test.each([
  ['a price list between dashes', 'Prices:\n----------\nHallway $400\nLounge $700\n----------\nAll of it $1,000'],
  ['a list by size', 'Prices by size:\n>20 m2 is $30 per m2\n<20 m2 is $35 per m2'],
  ['a quote of something else', 'The manual says:\n> Close the valve first.\n> Then open it.\nSo that is what I did.'],
  ['labels', 'Hours: 9:00 to 17:00\nFriday: closed\nWhere: 12 Kauri Street\nPrice: $90'],
  ['labels with a phone and an address', 'Name: Rua Plumbing\nOffice: office@other.example\nSince: 2019\nHours: 9:00 to 17:00'],
  [
    'a sentence like an introduction',
    'On Monday I wrote to you.\nFrom: here it is two hours.\nOn the list: taps, tiles.\n- one\n- two\n5 > 3, really',
  ],
  ['a message of the other side, repeated', 'Can you come on Friday?\nYes, I can.'],
  ['rules', 'Option A\n________________________________\n\nOption B\n--\nOption C\n***\nOption D'],
  ['sections', 'Dear Mere\n---\nTHE JOB\nTwo taps\n\n---\n\nTHE PRICE\n$230'],
  ['a divider with words', 'First half.\n-------------- next part --------------\nSecond half.'],
  ['colons and numbers', 'Here they are:-\n\nVisa\n\n4011\n\n06/17\n\nHope all is locked in now.'],
  ['addresses of others', 'Try these:\n\nlampa@vision.example <mailto:lampa@vision.example>\n\noffice@vision.example\n\nTama'],
  ['a hyphen at the start of a line', 'Hi Mere,\n\n-This is a test\n- This too'],
  ['hyphens in a sentence', 'Nice--ratione that is.\n##\nTama'],
  ['a page of ours', 'See https://handwise.example/listings/12 for photos.\nIs that the one?'],
  [
    'indented HTML',
    'Parts:\n\nMixer $140\n\nThat is all.',
    '<div>Parts:</div><blockquote style="margin:0 0 0 40px;border:none">Mixer $140</blockquote><div>That is all.</div>',
  ],
])('keeps %s', (_, text, html?: string) => {
  expect(textOf(html === undefined ? { text } : { html })).toBe(text);
  expect(textOf({ text: `${text}\n\n${introductions['Gmail in Japanese']}\n\n${marked(notification.text)}` })).toBe(text);
});

test('keeps answers between quoted lines', () => {
  const text = `${introductions['Gmail in Thai']}\n\n> Can you come on Friday?\n\nYes, at ten.\n\n> The tap in the bathroom drips\n\nI bring a new one.`;
  expect(textOf({ text })).toBe('Yes, at ten.\n\nI bring a new one.');
});

test.each(['Gmail in Thai', 'Thunderbird in German', 'Delta Chat, without any name'] as const)(
  'keeps answers between the lines of an unmarked quote of %s',
  (program) => {
    const answered = bare
      .replace('Can you come on Friday?', 'Can you come on Friday?\n\nYes, at ten.')
      .replace(/^Mere$/m, 'Mere\n\nI bring a new one.');
    expect(answered).toContain('I bring a new one.');
    expect(textOf({ text: `Kia ora!\n\n${introductions[program]}\n\n${answered}` })).toBe('Kia ora!\n\nYes, at ten.\n\nI bring a new one.');
    expect(textOf({ text: `${introductions[program]}\n\n${broken(answered)}` })).toBe('Yes, at ten.\n\nI bring a new one.');
  },
);

test.each([
  ['a signature', `${answer}\n\n-- \nTama Rua, Plumber\n021 123 4567`],
  ['a phone', `${answer}\n\nSent from my iPhone`],
  ['a phone in Japanese', `${answer}\n\niPhoneから送信`],
  ['a phone in German', `${answer}\n\nVon meinem iPhone gesendet`],
  ['a phone in Chinese', `${answer}\n\n发自我的iPhone`],
  ['Outlook', `${answer}\n\nGet Outlook for Android<https://aka.ms/x>`],
])('leaves out %s', (_, text) => {
  expect(textOf({ text })).toBe(answer);
  expect(textOf({ text: `${text}\n\n${introductions.Yahoo}\n\n${marked(notification.text)}` })).toBe(answer);
});

test.each(['Gmail in Thai', 'Thunderbird in German', 'Delta Chat, without any name'] as const)(
  'keeps answers below every line of an unmarked quote of %s',
  (program) => {
    const answers = ['Yes, Friday.', 'Date: Friday at ten', 'See https://rua.example/taps', 'Or write to office@rua.example'];
    for (const quoted of [bare, broken(bare, 60)]) {
      const lines = quoted.split('\n');
      const start = lines.findIndex((line) => line.startsWith('Kia ora'));
      for (let at = start + 1; at <= lines.length; at += 1) {
        const text = [introductions[program], '', ...lines.slice(0, at), '', ...answers, '', ...lines.slice(at)].join('\n');
        expect([lines[at - 1], textOf({ text })]).toEqual([lines[at - 1], answers.join('\n')]);
      }
    }
  },
);

test('keeps somebody else’s mail that the writer passes on', () => {
  const passedOn = 'On Mon, 23 Nov 2026 at 10:05, Hana Ward wrote:\n\nThe tiles come on Thursday.';
  const forwarded =
    'From: Hana Ward <hana@ward.example>\nSent: Monday, 23 November 2026 10:05\nTo: Tama\nSubject: Tiles\n\nThe tiles come on Thursday.';
  for (const text of [passedOn, forwarded]) {
    expect(textOf({ text: `See below.\n\n${text}` })).toBe(`See below.\n\n${text}`);
    expect(textOf({ text: `See below.\n\n${text}\n\n${introductions.Yahoo}\n\n${marked(notification.text)}` })).toBe(
      `See below.\n\n${text}`,
    );
  }
});

test('shows no address, link or name of ours, wherever it is', () => {
  const pieces = [
    `Kia ora Tama,`,
    `Kia ora Tama Rua,`,
    `Stop emails of this kind: ${appUrl}/mails/end?token=${token}`,
    `<${appUrl}/mails/end?token=\n${token.slice(0, 40)}\n${token.slice(40)}>`,
    `https://aus01.safelinks.protection.outlook.com/?url=${encodeURIComponent(`${appUrl}/mails/end?token=${token}`)}&data=05`,
    `https://urldefense.proofpoint.com/v2/url?u=https-3A__handwise.example_mails_end-3Ftoken-3D${token}&d=1`,
    replyTo,
    `Reply to ${replyTo.toUpperCase()}`,
  ];
  for (const piece of pieces) {
    for (const text of [`My answer.\n${piece}`, `My answer.\n\n> ${piece}`, `${piece}\n\nMy answer.`])
      expect(textOf({ text })).toBe('My answer.');
  }
  const { text, isMasked } = extractReply(
    { text: 'Write to tama@rua.example or Mere@Kingi.example<mailto:mere@kingi.example>.', html: '' },
    own,
  );
  expect([text, isMasked]).toEqual(['Write to [email address] or [email address].', true]);
});

test.each([
  'Liked “Can you come on Friday?”',
  'Loved "an image"',
  'Reacted 👍 to “Can you come on Friday?”',
  'A aimé « Can you come on Friday? »',
  'Gefällt „Can you come on Friday?“',
  '👍 Tama Rua reacted via Gmail <https://www.google.com/gmail/about/?utm_campaign=emojireactionemail#app>',
  '👍 Tama Rua reacted to your message:',
])('recognises the reaction %s', (text) => {
  expect(extractReply({ text, html: '' }, own).isReaction).toBe(true);
});

test.each([
  '👍',
  'Liked it, thank you.',
  'He said "Can you come on Friday?" and I said no.',
  '“Friday” is fine.',
  'Loved the "old" one more',
])('takes %s as a message', (text) => {
  const reply = extractReply({ text, html: '' }, own);
  expect([reply.text, reply.isReaction]).toEqual([text, false]);
});

test('is fast for adversarial text', () => {
  expect(() => textOf({ html: '<div>'.repeat(100_000) })).toThrow('nested too deeply');
  const parts = [
    '\n',
    'a\n\n',
    'a on at ',
    'On ',
    'On a\n',
    'a wrote on ',
    '<>',
    '> ',
    '>\n',
    ' ',
    'From: a\n',
    '_',
    '-',
    '- ',
    '@',
    'a@',
    '<a@',
    ':',
    '*',
    '1:',
    '"',
    '[image:',
    '<',
    '&',
    'Liked "',
    'a@b <',
  ];
  for (const part of parts) {
    for (const text of [part.repeat(100_000 / part.length), `${part.repeat(100_000 / part.length)}:`]) {
      const started = process.cpuUsage();
      extractReply({ text, html: text }, own);
      const { user } = process.cpuUsage(started);
      expect([part, user < 3_000_000]).toEqual([part, true]);
    }
  }
});
