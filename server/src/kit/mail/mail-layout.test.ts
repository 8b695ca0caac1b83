import { expect, test } from 'vitest';
import { renderMail } from './mail-layout.ts';
import type { Mail } from './mail.ts';

const site = 'https://handwise.example';
const receipt: Mail = {
  to: 'mere@example.org',
  subject: 'Your receipt',
  preview: 'You paid $25.00 NZD.',
  greeting: 'Kia ora Mere,',
  blocks: [
    { kind: 'heading', text: 'Thank you' },
    { kind: 'text', text: 'First line\nsecond line' },
    {
      kind: 'facts',
      rows: [
        { label: 'Plan', value: 'Premium' },
        { label: 'Paid', value: '$25.00 NZD', strong: true },
      ],
    },
    { kind: 'button', label: 'View your listing', url: 'https://handwise.example/listing/1?a=1&b=2' },
    { kind: 'quote', text: 'Can you come?\nTama' },
    { kind: 'note', text: 'Nothing renews by itself.' },
  ],
};

test('the text and HTML parts have the same content', () => {
  const { html, text } = renderMail(receipt, site);
  expect(text).toBe(
    [
      'Kia ora Mere,',
      'Thank you',
      'First line\nsecond line',
      'Plan: Premium\nPaid: $25.00 NZD',
      'View your listing: https://handwise.example/listing/1?a=1&b=2',
      '> Can you come?\n> Tama',
      'Nothing renews by itself.',
      '-- \nHandwise · https://handwise.example\nHandwise Limited, 1 Example Street, Wellington 6011, New Zealand · support@handwise.example\nYou get this email because your address is used on Handwise.',
    ].join('\n\n'),
  );
  for (const part of ['Kia ora Mere,', 'Thank you', 'First line<br/>second line', 'Premium', '$25.00 NZD', 'Can you come?<br/>Tama']) {
    expect(html).toContain(part);
  }
  expect(html).toContain('href="https://handwise.example/listing/1?a=1&amp;b=2"');
  expect(html).toContain('You paid $25.00 NZD.');
});

test('both parts show links with their text and URL; only http(s) URLs are allowed', () => {
  const row = { label: 'Friendly <b>plumber</b>', url: 'https://handwise.example/listing/1?a=1&b=2', text: 'Kingi & Daughters' };
  const { html, text } = renderMail({ ...receipt, blocks: [{ kind: 'links', rows: [row, { ...row, label: 'Another' }] }] }, site);
  const address = 'https://handwise.example/listing/1?a=1&b=2';
  expect(text).toContain(`Friendly <b>plumber</b>\nKingi & Daughters\n${address}\n\nAnother\nKingi & Daughters\n${address}\n\n-- `);
  expect(html).toMatch(/<a href="https:\/\/handwise.example\/listing\/1\?a=1&amp;b=2"[^>]*>Friendly &lt;b&gt;plumber&lt;\/b&gt;<\/a>/);
  expect(html).toContain('>Kingi &amp; Daughters</span>');
  const bad = () => renderMail({ ...receipt, blocks: [{ kind: 'links', rows: [{ ...row, url: 'javascript:alert(1)' }] }] }, site);
  expect(bad).toThrow('must lead to a web address');
});

test('an unsubscribe link can have its own label', () => {
  const end = { oneClick: `${site}/api/alerts/end`, page: `${site}/alerts/end` };
  const [named, plain] = [
    renderMail({ ...receipt, end: { ...end, label: 'Pause this alert' } }, site),
    renderMail({ ...receipt, end }, site),
  ];
  expect(named.text).toContain('\nPause this alert: https://handwise.example/alerts/end');
  expect(named.html).toContain('>Pause this alert</a>');
  expect(plain.text).toContain('\nStop emails of this kind: https://handwise.example/alerts/end');
});

test('both parts keep the lines of machine-readable text', () => {
  const lines = `handwise.example/draws/2026-11\n1234\n${'A'.repeat(43)}=\n\n— handwise.example/draws/2026-11 ${'b'.repeat(92)}`;
  const { html, text } = renderMail({ ...receipt, blocks: [{ kind: 'fixed', label: 'Keep this email.', text: lines }] }, site);
  expect(text).toContain(`\n\nKeep this email.\n\n${lines}\n\n-- \n`);
  expect(html).toContain(`>${lines}</pre>`);
  expect(html).toMatch(/<pre[^>]*white-space:pre-wrap[;"]/);
});

test('escapes user input', () => {
  const script = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'&';
  const hostile: Mail = {
    to: 'mere@example.org',
    subject: script,
    preview: script,
    greeting: script,
    reason: script,
    blocks: [
      { kind: 'heading', text: script },
      { kind: 'text', text: script },
      { kind: 'facts', rows: [{ label: script, value: script }] },
      { kind: 'button', label: script, url: 'https://handwise.example/?q="><script>alert(1)</script>' },
      { kind: 'quote', text: script },
      { kind: 'fixed', label: script, text: script },
      { kind: 'note', text: script },
    ],
  };
  const { html, text } = renderMail(hostile, site);
  expect(html).not.toMatch(/<script|<img/i);
  expect(html.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(9);
  expect(text).toContain(script);
});

test('a mail loads no images, and its links are http(s) URLs', () => {
  const { html } = renderMail(receipt, site);
  expect(html).not.toMatch(/<img|url\(|<link|@import/i);
  const lure: Mail = { ...receipt, blocks: [{ kind: 'button', label: 'Go', url: 'javascript:alert(1)' }] };
  expect(() => renderMail(lure, site)).toThrow('must lead to a web address');
});

test('the footer says why the reader gets the mail', () => {
  const { html, text } = renderMail({ ...receipt, reason: 'You get this email because you paid on Handwise.' }, site);
  for (const version of [html, text]) expect(version).toContain('because you paid on Handwise.');
});

test.each(['data:text/html,x', 'mailto:mere@example.org', 'ftp://handwise.example/', 'file:///etc/passwd'])(
  'a button does not lead to %s',
  (url) => {
    const lure: Mail = { ...receipt, blocks: [{ kind: 'button', label: 'Go', url }] };
    expect(() => renderMail(lure, site)).toThrow('a button or link must lead to a web address');
  },
);

test('a short label and a time of day stay on one line', () => {
  const rows = [
    { label: 'Work starts', value: 'Tue, Dec 8, 2026, 9:00 am to 1:30 pm, Sydney time' },
    { label: 'What it is about', value: 'An amount' },
  ];
  const { html, text } = renderMail({ ...receipt, blocks: [{ kind: 'facts', rows }] }, site);
  expect(html).toContain('9:00\u{a0}am to 1:30\u{a0}pm, Sydney time');
  expect(html).toContain('>An amount<');
  expect(html.match(/white-space:nowrap[^>]*>[^<]*/g)?.map((label) => label.split('>')[1])).toEqual(['Work starts']);
  expect(text).toContain('9:00 am to 1:30 pm');
});

test('emphasises strong facts', () => {
  const { html } = renderMail(receipt, site);
  const weights = [...html.matchAll(/<td class="ink line" style="([^"]*)"/g)].map(([, style = '']) => /font-weight:(\d+)/.exec(style)?.[1]);
  expect(weights).toEqual(['400', '700']);
});

test('the footer of both parts has the unsubscribe link', () => {
  const end = { oneClick: `${site}/api/mails/end?token=x`, page: `${site}/mails/end?token=x` };
  const { html, text } = renderMail({ ...receipt, end }, site);
  expect(text.endsWith(`\nStop emails of this kind: ${site}/mails/end?token=x`)).toBe(true);
  expect(html).toContain(`href="${site}/mails/end?token=x"`);
  const without = renderMail(receipt, site);
  expect([without.text, without.html].filter((part) => part.includes('Stop emails'))).toEqual([]);
});
