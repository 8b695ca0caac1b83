// The user-facing texts in the sources.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { root } from './install.mjs';

/** The readable texts of a file: text of elements, and strings of more than one word. */
function textsOf(source, tsx) {
  const texts = [];
  const walk = (node) => {
    if (Array.isArray(node)) node.forEach(walk);
    if (node === null || typeof node !== 'object' || Array.isArray(node) || node.type === 'ImportDeclaration') return;
    if (node.type === 'JSXText') texts.push(node.value);
    else if (node.type === 'StringLiteral' && /\w\s+\w/.test(node.value)) texts.push(node.value);
    else if (node.type === 'TemplateLiteral' && node.quasis) texts.push(node.quasis.map((part) => part.raw).join(' … '));
    for (const [key, value] of Object.entries(node)) if (key !== 'span') walk(value);
  };
  walk(parseSync(source, { syntax: 'typescript', tsx }).body);
  return texts
    .map((text) =>
      text
        .replace(/\s+/g, ' ')
        .replace(/ \/[\w/-]+/g, '')
        .trim(),
    )
    .filter((text) => /\w\s+\w/.test(text));
}

const read = (patterns) =>
  // Reserved names and search words are lists of words, not sentences.
  globSync(patterns, { cwd: root })
    .filter((file) => !/\.test\.tsx?$|(?:reserved-names|trades)\.ts$/.test(file))
    .flatMap((file) =>
      textsOf(readFileSync(join(root, file), 'utf8'), file.endsWith('x')).map((text) => ({ file: file.replaceAll('\\', '/'), text })),
    );

/** Every text of pages, errors, API descriptions and emails with its file, and those of further files. */
export const writtenTexts = (further = []) =>
  read([
    'web/app/**/*.{ts,tsx}',
    'contract/src/*.ts',
    'server/src/mcp/*.ts',
    'server/src/domains/site/site.crawlers.routes.ts',
    'server/src/domains/tickets/tickets.terms.ts',
    'server/src/domains/referrals/referrals.rules.ts',
    'server/src/**/*mails.ts',
    'server/src/kit/mail/mail-*.ts',
    ...further,
  ]);
