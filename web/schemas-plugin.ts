import { join } from 'node:path';
import type { Plugin } from 'vite';

const schemas = join(import.meta.dirname, 'schemas.ts');

/** Gives browsers the schemas' library as `schemas.ts` sets it, before anything is made with it. */
export const schemasWithoutEval: Plugin = {
  name: 'schemas-without-eval',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: (id, importer) => (id === 'zod' && importer !== schemas ? schemas : undefined),
};
