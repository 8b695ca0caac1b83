import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { namedWidths } from './named-widths.ts';
import { schemasWithoutEval } from './schemas-plugin.ts';

export default defineConfig({
  plugins: [reactRouter(), schemasWithoutEval],
  css: { postcss: { plugins: [namedWidths] } },
  build: {
    // For script-budget.ts.
    manifest: true,
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
            codeSplitting: {
              groups: [
                { name: 'framework', test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 2 },
                // What brings schemas or queries along is left to the bundler.
                {
                  name: 'shared',
                  test: /[\\/]web[\\/]app[\\/](ui|lib(?![\\/](?:[\w-]+[\\/])*(?:checked-form|resolved-form|queries)\.))[\\/]/,
                  minShareCount: 8,
                },
                { name: 'cards', test: /[\\/](web[\\/]app[\\/]domains[\\/](search|saved|listings|site)|@tabler)[\\/]/, minShareCount: 5 },
              ],
            },
          },
        },
      },
    },
  },
});
