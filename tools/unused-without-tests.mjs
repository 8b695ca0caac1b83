// What knip reads of the product with no test in sight: it finds what only tests use, which the pass with all files takes for used.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './install.mjs';

const everything = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8'));
const product = new Set(['contract', 'proof', 'server', 'web']);
const helpers = '**/testing/**';

/** All of what is no product is a user of it, and nothing of that is reported: stand-ins and helpers are there for tests. */
const asUser = ({ project }) => ({ entry: project, project });
const withoutTests = ({ entry = [], project, ...rest }) => ({
  ...rest,
  entry: entry.filter((pattern) => !pattern.includes('.test.')),
  project: [...project, '!**/*.test.*', `!${helpers}`],
});

/** @public */
export default {
  ...everything,
  // A part of a file that is tested by itself is used by the rest of it.
  ignoreExportsUsedInFile: true,
  ignoreIssues: { [helpers]: ['files', 'exports', 'types'] },
  vitest: false,
  workspaces: Object.fromEntries(
    Object.entries(everything.workspaces).map(([name, workspace]) => [
      name,
      { ...(product.has(name) ? withoutTests(workspace) : asUser(workspace)), vitest: false },
    ]),
  ),
};
