// Prepares the database whose address is given, and prints which of the tree's modules have a part in that. For `npm run mutants`,
// which makes one for all of its tests, and another one where a fault is planted in what makes it.
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '../..');
const [url = ''] = process.argv.slice(2);
const modules = new Set<string>();
registerHooks({
  load(module, context, next) {
    if (module.startsWith('file:') && !module.includes('/node_modules/')) modules.add(relative(root, fileURLToPath(module)));
    return next(module, context);
  },
});
const { prepareDatabase } = await import('@handwise/server/prepare-database');
await prepareDatabase(url);
process.stdout.write(JSON.stringify([...modules]));
