import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

/** Of a file of script: which others it needs, and which module of `app` it is there for, where it is for one. */
export type Script = { imports: readonly string[]; source: string | null };

const app = join(import.meta.dirname, 'app');

/** Writes down which files of script there are, for the budget of the pages: `build/scripts.json`, which is not sent to anybody. */
export const listScripts: Plugin = {
  name: 'list-scripts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  writeBundle(_options, bundle) {
    const scripts = Object.values(bundle).flatMap((file): [string, Script][] => {
      if (file.type !== 'chunk') return [];
      const source = file.facadeModuleId && relative(app, file.facadeModuleId.replace(/\?.*/, '')).replaceAll('\\', '/');
      return [[file.fileName, { imports: file.imports, source }]];
    });
    writeFileSync(join(import.meta.dirname, 'build/scripts.json'), JSON.stringify(Object.fromEntries(scripts)));
  },
};
