// Everything that the pages at the root and docs/ name exists: linked files, files and folders of the tree, commands and settings.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './install.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const withoutFences = (text) => text.replace(/^```[^]*?^```/gm, '');

/** Decisions and the changelog describe their own time, so only their links must exist. */
const isHistory = (file) => file.startsWith(join('docs', 'decisions', '0')) || file === 'CHANGELOG.md';
const pages = globSync(['*.md', '.github/*.md', 'docs/**/*.md'], { cwd: root }).map((file) => ({ file, text: read(file) }));
const guides = pages.filter(({ file }) => !isHistory(file));

function filesBelow(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return /^(node_modules|build|dist|\.git|\.data)$/.test(entry.name) ? [] : [`${path}/`, ...filesBelow(path)];
  });
}
const tree = filesBelow('.').map((path) => `/${path}`);
/** Folders of DATA_DIR, which a start creates. */
const made = new Set(['.data/', 'files/', 'postgres/', 'uploads/', 'mailbox/']);
const scripts = JSON.parse(read('package.json')).scripts;
// Names of settings in code and configuration.
const sources = tree
  .filter((path) => /(?<!\.test)\.(ts|tsx|mjs|cjs|sql|example)$/.test(path))
  .map(read)
  .join('\n');
const settings = new Set(sources.match(/\b[A-Z][A-Z\d]*_[A-Z\d_]+\b/g));

const faultsOf = {
  links: ({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].flatMap(([, link]) => {
      const [path, heading] = link.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), path));
      if (!tree.some((one) => one === `/${target}` || one === `/${target}/`)) return [link];
      const headings = heading ? (read(target).match(/^#+ .*$/gm) ?? []).map(slugOf) : [];
      return heading && !headings.includes(heading) ? [link] : [];
    }),
  files: ({ text }) =>
    [...withoutFences(text).matchAll(/`([\w./-]+\/|[\w./-]*\w\.(?:ts|tsx|mjs|cjs|tsv|sql|svg|css))`/g)].flatMap(([, path]) =>
      /^\/|^x\./.test(path) || made.has(path) || tree.some((one) => one.endsWith(`/${path}`)) ? [] : [path],
    ),
  commands: ({ text }) =>
    [...text.matchAll(/\bnpm\s+(?:run\s+(?:--silent\s+)?([\w:-]+)|(start|test)\b)/g)].flatMap(([, script, short]) =>
      (script ?? short) in scripts ? [] : [script ?? short],
    ),
  settings: ({ text }) =>
    [...text.matchAll(/`([A-Z][A-Z\d]*_[A-Z\d_]*[A-Z\d])[=`]/g)].flatMap(([, name]) => (settings.has(name) ? [] : [name])),
};
const slugOf = (heading) =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\d\s-]/gu, '')
    .replaceAll(' ', '-');

test.for([
  ['links', pages],
  ['files', guides],
  ['commands', guides],
  ['settings', guides],
])('the %s that the pages at the root and docs/ name exist', ([kind, among]) => {
  expect(among.length).toBeGreaterThan(10);
  expect(among.flatMap((page) => faultsOf[kind](page).map((fault) => `${page.file}: ${fault}`))).toEqual([]);
});

test('finds missing links, headings, files, folders, commands and settings', () => {
  const text =
    '[a](gone.md) [b](words.md#no-such) [c](words.md#how-is-a-sentence-written) `server/src/gone.ts` `server/src/http/app.ts` `app.ts` `kit/gone/` `kit/mail/` `npm run gone` `npm run check` `GONE_KEY` `APP_URL`';
  const page = { file: 'docs/page.md', text };
  expect(Object.values(faultsOf).map((faults) => faults(page))).toEqual([
    ['gone.md', 'words.md#no-such'],
    ['server/src/gone.ts', 'kit/gone/'],
    ['gone'],
    ['GONE_KEY'],
  ]);
});
