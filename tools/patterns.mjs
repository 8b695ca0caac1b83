// Finds regular expressions whose time grows faster than the text that they read: a text of hyphens, repeated to a field's limit, must not hold the
// event loop. `patterns.test.mjs` runs each on such texts too, because the analysis (scslre) looks at no word boundaries.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { analyse } from 'scslre';
import { root } from './install.mjs';

/** Patterns that the analysis reports, or cannot read, and why they do no harm. */
export const allowed = {
  'contract/src/numbers.ts': { '\\d(?=(?:\\d{3})+(?:\\.|$))': 'reads what toFixed wrote, at most 130 characters' },
  'contract/src/draws/calls.ts': { dynamic: 'a fixed number of digits' },
  'contract/src/ids.ts': { dynamic: 'the pattern of ids, which is fixed' },
  'contract/src/push/calls.ts': { dynamic: 'a fixed number of characters' },
  'contract/src/quotes/amounts.ts': { dynamic: 'bounded digits, of which the number of decimals is fixed' },
  'contract/src/sign-in/second-step.ts': { dynamic: 'a fixed number of characters' },
  'server/src/domains/search/understanding/search.wishes.ts': { dynamic: 'reads a search, at most 120 characters' },
  'server/src/kit/mail/mail-headers.ts': { dynamic: 'labels of ours at the start of a subject, with bounded gaps' },
  'server/src/kit/mail/mail-reply.ts': { dynamic: 'an escaped address, without a loop' },
  'web/app/domains/listings/back-link.tsx': { dynamic: 'an address with a fixed number of digits' },
  'web/app/domains/messages/first-message/pending-message.ts': { dynamic: 'an address with the pattern of ids' },
};

const sources = '{contract,proof}/src/**/*.ts';
const ofServerAndWeb = ['server/src/**/*.ts', 'web/app/**/*.{ts,tsx}'];

/** Every pattern of the product's sources; `dynamic` for one that is put together when the program runs. */
export function listPatterns(folder = root) {
  const files = globSync([sources, ...ofServerAndWeb], { cwd: folder }).filter((file) => !/\.test\.tsx?$/.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const found = [];
    const add = ({ start }, pattern) => found.push({ file, line: text.slice(0, start).split('\n').length, ...pattern });
    const addDynamic = (node) => node.callee.type === 'Identifier' && node.callee.name === 'RegExp' && add(node, { dynamic: true });
    new Visitor({
      Literal: (node) => 'regex' in node && add(node, { source: node.regex.pattern, flags: node.regex.flags }),
      NewExpression: addDynamic,
      CallExpression: addDynamic,
    }).visit(parseSync(file, text).program);
    return found;
  });
}

const describe = {
  Self: 'backtracks within a loop',
  Trade: 'has two loops that share characters',
  Move: 'reads the rest of the text from each of its characters',
};

/** What is wrong with a pattern; undefined if its time is linear. */
function findFault({ source, flags, dynamic }) {
  if (dynamic) return 'is put together when the program runs, so it cannot be checked';
  try {
    const [report] = analyse({ source, flags }).reports;
    return report && describe[report.type];
  } catch (error) {
    return `cannot be analysed: ${error.message}`;
  }
}

const isAllowed = ({ file, source, dynamic }) => Object.hasOwn(allowed[file] ?? {}, dynamic ? 'dynamic' : source);

/** A line for each pattern that is at fault, and for each entry of the list of allowed ones that is not needed. */
export function checkPatterns(patterns) {
  const faults = patterns.map((pattern) => ({ pattern, fault: findFault(pattern) })).filter(({ fault }) => fault !== undefined);
  const needed = new Set(faults.map(({ pattern: { file, source, dynamic } }) => `${file} ${dynamic ? 'dynamic' : source}`));
  const entries = Object.entries(allowed).flatMap(([file, ofFile]) => Object.keys(ofFile).map((key) => `${file} ${key}`));
  return [
    ...faults
      .filter(({ pattern }) => !isAllowed(pattern))
      .map(
        ({ pattern: { file, line, source, flags, dynamic }, fault }) =>
          `${file}:${line}  ${dynamic ? 'RegExp(…)' : `/${source}/${flags}`} ${fault}`,
      ),
    ...entries.filter((entry) => !needed.has(entry)).map((entry) => `tools/patterns.mjs allows what is not at fault: ${entry}`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const lines = checkPatterns(listPatterns());
  for (const line of lines) console.log(line);
  process.exit(lines.length === 0 ? 0 : 1);
}
