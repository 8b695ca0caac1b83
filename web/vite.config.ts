import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { chunkGroups } from './chunks.ts';
import { namedWidths } from './named-widths.ts';
import { smallPreloads } from './preloads.ts';
import { withoutUnusedRouterParts } from './router-parts.ts';
import { schemasWithoutEval } from './schemas-plugin.ts';
import { listScripts } from './script-list.ts';

export default defineConfig({
  plugins: [reactRouter(), withoutUnusedRouterParts, smallPreloads, schemasWithoutEval, listScripts],
  css: { postcss: { plugins: [namedWidths] } },
  build: {
    // The content security policy allows no data: fonts, and an inlined drawing would be sent again with every page.
    assetsInlineLimit: 0,
    target: 'es2022',
    // All styles together are smaller than the drawings of a page, and one request is less than ten: they come once for the whole visit.
    cssCodeSplit: false,
  },
  environments: {
    // Of five thousand icons the pages show some fifty: loaded as a package they would all stand in the server's memory.
    ssr: { resolve: { noExternal: ['@tabler/icons-react'] } },
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Every page loads the names of its files, twice: a letter fewer of each is 0.2 kB and more. Of fewer than seven the bundler makes none.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              groups: [
                ...chunkGroups(),
                // What most of the other pages share.
                {
                  name: 'shared',
                  test: /[\\/]web[\\/]app[\\/](ui|lib(?![\\/](?:[\w-]+[\\/])*(?:checked-form|queries)\.))[\\/]/,
                  minShareCount: 4,
                },
              ],
            },
          },
        },
      },
    },
  },
});
