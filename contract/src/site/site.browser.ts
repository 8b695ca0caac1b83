import type { ShownSite } from './shown.ts';

// The contract is checked without the browser's types.
const page = globalThis as { document?: { documentElement: { dataset: Record<string, string | undefined> } } };

/**
 * In place of `site.ts` in browsers: what the server wrote into the page, so that no bundle names a site.
 * @public
 */
export const site = JSON.parse(page.document?.documentElement.dataset['site'] ?? '{}') as Readonly<ShownSite>;
