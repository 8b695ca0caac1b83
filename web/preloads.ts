import type { Plugin } from 'vite';

/**
 * In the place of Vite's: the files that a part needs are asked for together with it. Its own knows style sheets, bases and nonces as well,
 * which this site has once for all.
 */
export const preloads = `export const __vitePreload = (load, files = []) => {
  for (const file of files) {
    const href = '/' + file;
    if (document.querySelector('link[href="' + href + '"]')) continue;
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  }
  return load();
};`;

const helper = '\0vite/preload-helper.js';

/** Gives browsers a small one. */
export const smallPreloads: Plugin = {
  name: 'small-preloads',
  enforce: 'pre',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  load: (id) => (id === helper ? { code: preloads, moduleSideEffects: false } : undefined),
};
