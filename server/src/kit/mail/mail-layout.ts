// Imported one by one, because the combined package brings a code highlighter and a style compiler along.
import { Body } from '@react-email/body';
import { Button } from '@react-email/button';
import { Container } from '@react-email/container';
import { Head } from '@react-email/head';
import { Heading } from '@react-email/heading';
import { Html } from '@react-email/html';
import { Link } from '@react-email/link';
import { Preview } from '@react-email/preview';
import { Section } from '@react-email/section';
import { Text } from '@react-email/text';
import { createElement as h, Fragment, type CSSProperties, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { getAccentTokens } from '@handwise/contract/site/accent';
import { getLogoPng } from '@handwise/contract/site/logo';
import { formatOperator } from '@handwise/contract/site/operator';
import { site } from '@handwise/contract/site/site';
import type { Mail, MailBlock } from './mail.ts';

const font = "Figtree, -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const ink = '#0f2a2e';
const paper = '#fbfaf7';
const muted = '#5c594f';
const line = '#e6e1d6';

/** What the accent colour of the site changes. */
function getColours() {
  if (site.accent === '') return { tile: '#10b981', link: '#047857', edge: '#10b981', dark: { link: '#34d399', onButton: '#06281f' } };
  const { light, dark } = getAccentTokens(site.accent);
  return { tile: site.accent, link: light.button, edge: site.accent, dark: { link: dark.button, onButton: dark['on-button'] } };
}

// Inline styles work in all mail programs. Classes are for dark mode and narrow screens, where they are supported.
const formatSheet = ({ dark }: ReturnType<typeof getColours>) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .card { padding: 24px 20px !important; } .outer { padding: 20px 8px !important; } }
@media (prefers-color-scheme: dark) {
  .outer, body { background-color: #0e1a1c !important; }
  .card { background-color: #162528 !important; border-color: #27393c !important; }
  .ink, .ink a { color: #e9f0ee !important; }
  .muted, .muted a { color: #a9b8b5 !important; }
  .line { border-color: #27393c !important; }
  .quote { background-color: #0e1a1c !important; border-color: ${dark.link} !important; }
  .link { color: ${dark.link} !important; }
  .button { background-color: ${dark.link} !important; color: ${dark.onButton} !important; }
}`;

const styles = {
  body: { margin: 0, padding: 0, backgroundColor: paper, fontFamily: font },
  outer: { backgroundColor: paper, padding: '32px 12px' },
  container: { maxWidth: '600px', width: '100%', margin: '0 auto' },
  card: { backgroundColor: '#ffffff', border: `1px solid ${line}`, borderRadius: '16px', padding: '32px 40px' },
  word: { margin: 0, fontSize: '20px', lineHeight: '36px', fontWeight: 700, letterSpacing: '-0.01em', color: ink },
  text: { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', color: ink, overflowWrap: 'anywhere' },
  heading: { margin: '0 0 16px', fontSize: '24px', lineHeight: '30px', fontWeight: 700, letterSpacing: '-0.01em', color: ink },
  note: { margin: '0 0 16px', fontSize: '14px', lineHeight: '21px', color: muted, overflowWrap: 'anywhere' },
  facts: { width: '100%', borderCollapse: 'collapse', margin: '0 0 24px' },
  label: {
    padding: '10px 16px 10px 0',
    borderBottom: `1px solid ${line}`,
    fontSize: '15px',
    lineHeight: '22px',
    color: muted,
    textAlign: 'left',
    verticalAlign: 'top',
    fontWeight: 400,
  },
  value: {
    padding: '10px 0',
    borderBottom: `1px solid ${line}`,
    fontSize: '15px',
    lineHeight: '22px',
    color: ink,
    textAlign: 'right',
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
    fontVariantNumeric: 'tabular-nums',
  },
  button: {
    display: 'inline-block',
    color: '#ffffff',
    borderRadius: '10px',
    padding: '13px 24px',
    fontSize: '16px',
    lineHeight: '22px',
    fontWeight: 650,
    textDecoration: 'none',
  },
  link: { fontWeight: 650, textDecoration: 'underline' },
  quote: { margin: '0 0 16px', padding: '14px 18px', backgroundColor: paper, borderRadius: '4px' },
  fixed: {
    margin: '0 0 16px',
    padding: '14px 18px',
    backgroundColor: paper,
    borderRadius: '4px',
    fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
    fontSize: '12px',
    lineHeight: '18px',
    color: ink,
    // Wraps on narrow screens; the copied text keeps its lines.
    whiteSpace: 'pre-wrap',
    wordBreak: 'break-all',
  },
  footer: { margin: '0 0 4px', fontSize: '13px', lineHeight: '20px', color: muted, textAlign: 'center' },
} satisfies Record<string, CSSProperties>;

// The doctype with the widest support in mail programs.
const doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

/** Renders a mail as HTML and as text. Throws if a link is not an http(s) URL. */
export function renderMail(mail: Mail, appUrl: string): { html: string; text: string } {
  // Rendered synchronously, because a stream takes twice as long.
  return { html: doctype + renderToStaticMarkup(layout(mail, appUrl)), text: formatText(mail, appUrl) };
}

const getEndLabel = (end: NonNullable<Mail['end']>) => end.label ?? 'Stop emails of this kind';
const getReason = (mail: Mail) => mail.reason ?? `You get this email because your address is used on ${site.name}.`;

function layout(mail: Mail, appUrl: string) {
  const head = h(
    Head,
    null,
    h('meta', { name: 'color-scheme', content: 'light dark' }),
    h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
    h('title', null, mail.subject),
    h('style', { dangerouslySetInnerHTML: { __html: formatSheet(getColours()) } }),
  );
  const card = h(
    Section,
    { className: 'card', style: styles.card },
    mail.greeting && paragraph(mail.greeting, styles.text, 'ink'),
    ...mail.blocks.map((block, index) => h(Fragment, { key: index }, renderBlock(block))),
  );
  const footer = h(
    Section,
    { style: { padding: '24px 12px 0' } },
    h(
      Text,
      { className: 'muted', style: styles.footer },
      h(Link, { href: appUrl, style: { color: muted, textDecoration: 'underline' } }, new URL(appUrl).host),
    ),
    h(Text, { className: 'muted', style: styles.footer }, formatOperator()),
    h(Text, { className: 'muted', style: styles.footer }, getReason(mail)),
    mail.end &&
      h(
        Text,
        { className: 'muted', style: styles.footer },
        h(Link, { href: webAddress(mail.end.page), style: { color: muted, textDecoration: 'underline' } }, getEndLabel(mail.end)),
      ),
  );
  const container = h(Container, { style: styles.container }, wordMark(appUrl), card, footer);
  return h(
    Html,
    { lang: 'en-NZ' },
    head,
    h(Body, { style: styles.body }, h(Preview, null, mail.preview), h(Section, { className: 'outer', style: styles.outer }, container)),
  );
}

/** The built-in logo is inline SVG. Mail programs without SVG show a green tile. */
function wordMark(appUrl: string) {
  const logo = getLogoPng('small');
  return h(
    'table',
    { role: 'presentation', cellPadding: 0, cellSpacing: 0, style: { margin: '0 0 20px 4px' } },
    h(
      'tbody',
      null,
      h(
        'tr',
        null,
        h(
          'td',
          {
            width: 36,
            height: 36,
            ...(!logo && { bgcolor: getColours().tile }),
            style: { borderRadius: '10px', width: '36px', height: '36px' },
          },
          logo ? h('img', { src: appUrl + logo, width: 36, height: 36, alt: '', style: { display: 'block' } }) : sign,
        ),
        h(
          'td',
          { style: { paddingLeft: '10px' } },
          h(Link, { href: appUrl, className: 'ink', style: { ...styles.word, textDecoration: 'none' } }, site.name),
        ),
      ),
    ),
  );
}

const sign = h(
  'svg',
  { viewBox: '0 0 40 40', width: 36, height: 36, 'aria-hidden': true, style: { display: 'block' } },
  h('path', {
    d: 'M8.5 20.2 20 9.8l11.5 10.4M12.2 18.6v6.1c0 3.6 2.6 6.5 6.9 6.5h3.6c2.3 0 3.7-.9 5-2.5l4-4.9c1.2-1.5-.7-3.3-2.2-2.1l-3.6 2.9h-7.1',
    fill: 'none',
    stroke: ink,
    strokeWidth: 2.6,
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  }),
);

function renderBlock(block: MailBlock): ReactNode {
  switch (block.kind) {
    case 'text':
      return paragraph(block.text, styles.text, 'ink');
    case 'note':
      return paragraph(block.text, styles.note, 'muted');
    case 'heading':
      return h(Heading, { as: 'h1', className: 'ink', style: styles.heading }, block.text);
    case 'quote':
      return h(
        Section,
        { className: 'quote', style: { ...styles.quote, borderLeft: `3px solid ${getColours().edge}` } },
        paragraph(block.text, { ...styles.text, margin: 0 }, 'ink'),
      );
    case 'button':
      return h(
        Section,
        { style: { margin: '8px 0 24px' } },
        h(
          Button,
          { href: webAddress(block.url), className: 'button', style: { ...styles.button, backgroundColor: getColours().link } },
          block.label,
        ),
      );
    case 'links':
      return h(Fragment, null, block.rows.map(linkRow));
    case 'fixed':
      return h(
        Fragment,
        null,
        paragraph(block.label, styles.note, 'muted'),
        h('pre', { className: 'quote ink', style: styles.fixed }, block.text),
      );
    case 'facts':
      return h('table', { style: styles.facts }, h('tbody', null, block.rows.map(factRow)));
  }
}

/** A longer label takes a second line, because its value needs the room. */
const longestOnOneLine = 14;
const shortLabel = { ...styles.label, whiteSpace: 'nowrap' } as const;

function factRow(row: { label: string; value: string; strong?: boolean }, index: number) {
  const weight = { fontWeight: row.strong ? 700 : 400 };
  return h(
    'tr',
    { key: index },
    h('th', { scope: 'row', className: 'muted line', style: row.label.length > longestOnOneLine ? styles.label : shortLabel }, row.label),
    // A time of day stays on one line.
    h('td', { className: 'ink line', style: { ...styles.value, ...weight } }, row.value.replaceAll(/ (?=[ap]m\b)/g, '\u{a0}')),
  );
}

const linkRow = (row: { label: string; url: string; text: string }, index: number) =>
  h(
    Text,
    { key: index, className: 'ink', style: styles.text },
    h(Link, { href: webAddress(row.url), className: 'link', style: { ...styles.link, color: getColours().link } }, row.label),
    h('br'),
    h('span', { className: 'muted', style: { color: muted } }, row.text),
  );

const paragraph = (text: string, style: CSSProperties, className: string) => {
  const [first, ...others] = text.split(/\r?\n/);
  return h(Text, { style, className }, first, ...others.flatMap((part, index) => [h('br', { key: index }), part]));
};

function webAddress(url: string) {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('a button or link must lead to a web address');
  return href;
}

function formatText(mail: Mail, appUrl: string) {
  const parts = mail.blocks.map(formatBlock);
  const end = mail.end ? `\n${getEndLabel(mail.end)}: ${webAddress(mail.end.page)}` : '';
  const footer = `-- \n${site.name} · ${appUrl}\n${formatOperator()}\n${getReason(mail)}${end}`;
  return [...(mail.greeting ? [mail.greeting] : []), ...parts, footer].join('\n\n');
}

function formatBlock(block: MailBlock): string {
  switch (block.kind) {
    case 'text':
    case 'note':
    case 'heading':
      return block.text;
    case 'quote':
      return block.text.replaceAll(/^/gm, '> ');
    case 'button':
      return `${block.label}: ${webAddress(block.url)}`;
    case 'links':
      return block.rows.map(({ label, url, text }) => `${label}\n${text}\n${webAddress(url)}`).join('\n\n');
    case 'fixed':
      return `${block.label}\n\n${block.text}`;
    case 'facts':
      return block.rows.map(({ label, value }) => `${label}: ${value}`).join('\n');
  }
}
