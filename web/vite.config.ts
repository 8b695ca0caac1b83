import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { oldestBrowsers } from '@handwise/contract/site/browsers';
import { namedWidths } from './named-widths.ts';
import { schemasWithoutEval } from './schemas-plugin.ts';

const { safari, ios, firefox, chrome, edge } = oldestBrowsers;

export default defineConfig({
  plugins: [reactRouter(), schemasWithoutEval],
  css: { postcss: { plugins: [namedWidths] } },
  build: {
    // For script-budget.ts.
    manifest: true,
    // The content security policy allows no `data:` fonts, and an inlined drawing would be sent with every page.
    assetsInlineLimit: 0,
    target: [`safari${safari}`, `ios${ios}`, `firefox${firefox}`, `chrome${chrome}`, `edge${edge}`],
    // One style sheet for the whole visit: all styles together are smaller than a page's drawings, and one request is better than ten.
    cssCodeSplit: false,
  },
  environments: {
    // Bundled, because the pages use some fifty of five thousand icons, which would all be loaded into the server's memory.
    ssr: { resolve: { noExternal: ['@tabler/icons-react'] } },
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: /[\\/]node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 2 },
                // What the root loads on every page.
                {
                  name: 'frame',
                  test: /[\\/]web[\\/]app[\\/](ui[\\/](page[\\/]boundaries|pictures[\\/]logo)|lib[\\/](late-part|document[\\/])|pages[\\/]site[\\/](error-page|not-found))/,
                  priority: 1,
                },
                // Modules that import schemas or queries, and those for files, which only forms need, are left to the bundler.
                {
                  name: 'shared',
                  test: /[\\/]web[\\/]app[\\/](ui(?![\\/]forms[\\/](?:attachment-field|picture-input)\.)|lib(?![\\/](?:pictures[\\/]|(?:[\w-]+[\\/])*(?:checked-form|resolved-form|queries|upload)\.)))[\\/]/,
                  minShareCount: 8,
                },
                { name: 'queries', test: /[\\/]node_modules[\\/]@tanstack[\\/]/, minShareCount: 8 },
                {
                  name: 'cards',
                  test: /[\\/](web[\\/]app[\\/]domains[\\/](search|saved|listings|site)|@tabler(?!.*Icon(?:PhotoPlus|FileText)\.))[\\/]/,
                  minShareCount: 5,
                },
              ],
            },
          },
        },
      },
    },
  },
});
