// Checks pages, errors and emails for the words that docs/words.md rules out.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { root } from './install.mjs';
import { writtenTexts } from './texts.mjs';

/** Texts that are not ours to choose. */
const fixed = [/^You need to be logged in to access this content\.$/, /^Failed to open email client$/, /G-NAF/, /blockquote center/];

const avoided = readFileSync(join(root, 'docs/words.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .flatMap((row) =>
    [
      ...row
        .split('|')
        .at(-2)
        .matchAll(/`([^`]+)`/g),
    ].map(([, word]) => word),
  );

const found = (text) => avoided.filter((word) => new RegExp(`(?<![\\w-])${word}s?(?![\\w-])`, 'i').test(text));

test('finds no word that docs/words.md rules out in pages, errors, emails and API descriptions', () => {
  const read = writtenTexts();
  expect(new Set(read.map(({ file }) => file)).size).toBeGreaterThan(300);
  expect(read.length).toBeGreaterThan(2000);
  const ours = read.filter(({ text }) => !fixed.some((exception) => exception.test(text)));
  expect(ours.flatMap(({ file, text }) => found(text).map((word) => `${file}: “${word}” in “${text}”`))).toEqual([]);
});

// The specification's sub-categories and messages, and names, have their own spelling.
const specified =
  /Victor Harbor|Home organization|Renovation & remodeling|Payment system is not initialized|Unauthorized access|Referral Program/g;
const american =
  /(?<![-_])\b(?:(?!prize|size|seize|capsize|resize|downsiz)\w+iz(?:e[ds]?|ing|ers?|ations?)|(?:col|fav|neighb|behavi|lab|hon|flav|harb)or\w*|(?:cent|fib|theat)ers?|\w*(?:cancel|travel|label|model)(?:ed|ing|er)|gray|catalog|program|expiration|check(?:ing)? account|drapes|faucets?|sidewalks?|lumber)\b(?![-:])/gi;
const americanIn = (text) => text.replaceAll(specified, '').match(american) ?? [];

test('finds no American spelling in texts of product and demo data, except the specification’s', () => {
  const ours = writtenTexts(['demo/src/*.ts']).filter(({ text }) => !fixed.some((exception) => exception.test(text)));
  expect(ours.flatMap(({ file, text }) => americanIn(text).map((word) => `${file}: “${word}” in “${text}”`))).toEqual([]);
  expect(['Customize your colors', 'The size of the prize', 'Home organization', 'a gray center'].flatMap(americanIn)).toEqual([
    'Customize',
    'colors',
    'gray',
    'center',
  ]);
});

test('every button has a verb with its object', () => {
  const bare = />\s*(View|Remove|Clear|Show|Undo)\s*<\//g;
  const files = globSync('web/app/**/*.tsx', { cwd: root });
  const found = files.flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(bare)].map(([, verb]) => `${file}: ${verb}`));
  expect(found).toEqual([]);
});

// The API's descriptions: the summary of each call, its details and its fields.
const modules = globSync('contract/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
const namedCalls = (await Promise.all(modules.map((file) => import(join(root, file)))))
  .flatMap((exported) => Object.entries(exported))
  .filter(([, one]) => one?.method && one.url);
const calls = namedCalls.map(([, call]) => call);

const verbs = new Set(
  `Accept Answer Ask Block Cancel Change Check Choose Close Confirm Connect Correct Count Create Deactivate Decide Decline Delete Disconnect Download End Enter Finish Get Give Keep List
  Make Mark Message Object Pause Propose Publish Reactivate Read Receive Record Refund Remove Rename Renew Report Restore Resume Review Save Search Send Set Sign Start
  Stop Stream Strike Suggest Swap Take Turn Unblock Undo Upload View Withdraw Write`.split(/\s+/),
);

test('each API call has a summary that starts with a verb, and details in sentences', () => {
  expect(calls.length).toBeGreaterThan(150);
  const summaries = calls.map(({ summary }) => summary);
  expect(summaries.filter((summary) => !verbs.has(summary.split(' ')[0]))).toEqual([]);
  expect(summaries.filter((summary) => summary.length > 100 || /[.;](\s|$)/.test(summary))).toEqual([]);
  expect(calls.flatMap(({ details = 'A sentence.' }) => (/^[A-Z].*[^.]\.$/.test(details) ? [] : [details]))).toEqual([]);
});

test('the name of each API call ends in Call, and nothing of the server has the same name', () => {
  const names = namedCalls.map(([name]) => name);
  expect(names.filter((name) => !name.endsWith('Call'))).toEqual([]);
  const exported = globSync('server/src/**/*.ts', { cwd: root }).flatMap((file) =>
    parseSync(file, readFileSync(join(root, file), 'utf8')).module.staticExports.flatMap(({ entries }) =>
      entries.map(({ exportName }) => exportName.name),
    ),
  );
  expect(exported).toContain('updateListing');
  expect(names.filter((name) => exported.includes(name))).toEqual([]);
});
