import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [reactRouter()],
  build: {
    // The content security policy allows no data: fonts, and an inlined drawing would be sent again with every page.
    assetsInlineLimit: 0,
    target: 'es2022',
    // All styles together are smaller than the drawings of a page, and one request is less than ten: they come once for the whole visit.
    cssCodeSplit: false,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // One file for the frame of every page and what most pages share, instead of thirty of a few hundred bytes:
              // on a phone's connection each request costs more than its content.
              // Not what brings a library with it that only forms and members' pages need.
              groups: [
                {
                  name: 'site',
                  test: /[\\/]web[\\/]app[\\/](ui|lib(?![\\/](checked-form|queries)\.)|domains[\\/]site)[\\/]/,
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
