import { join } from 'node:path';
import type { Plugin } from 'vite';

const schemas = join(import.meta.dirname, 'schemas.ts');

/** Replaces the schema library in the browser by `schemas.ts`, which configures it before its first use. */
export const schemasWithoutEval: Plugin = {
  name: 'schemas-without-eval',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  resolveId: (id, importer) => (id === 'zod' && importer !== schemas ? schemas : undefined),
};
