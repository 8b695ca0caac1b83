/**
 * The oldest browsers that run the site's scripts: iPhones and iPads by their iOS, Android by its WebView. Older ones get the pages without
 * scripts. `tools/browser-support.mjs` checks the build against these versions.
 */
export const oldestBrowsers = {
  safari: '16.4',
  ios: '16.4',
  firefox: '121',
  chrome: '114',
  edge: '114',
} as const;
