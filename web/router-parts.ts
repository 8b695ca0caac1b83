import type { Plugin } from 'vite';

/**
 * Parts of React Router that this site does not use and the bundler cannot know to be unused: each is asked for by a setting. By the file
 * of the library, what stands in its place: the same names, answering as the part does where it is not asked for.
 */
const unused: Record<string, Record<string, string>> = {
  // Nobody instruments the router.
  'router/instrumentation.js': {
    consumeInstrumentationClientResultMetaReceiver: '() => {}',
    getRouteInstrumentationUpdates: '() => ({})',
    instrumentClientSideRouter: '(router) => router',
    instrumentHandler: '(handler) => handler',
    instrumentationResultMetaContext: 'undefined',
  },
  // All routes travel with the first page: `routeDiscovery` of react-router.config.ts.
  'dom/ssr/fog-of-war.js': {
    URL_LIMIT: '0',
    getManifestPath: '() => ""',
    getPartialManifest: '(manifest) => manifest',
    getPatchRoutesOnNavigationFunction: '() => undefined',
    getPathsWithAncestors: '(paths) => paths',
    handleClientVersionMismatch: 'async () => false',
    isFogOfWarEnabled: '() => false',
    useFogOFWarDiscovery: '() => {}',
  },
};

/** What stands in the place of a module of React Router, or undefined where it stays. */
export function inPlaceOf(id: string, code: string): string | undefined {
  const [, path = ''] = /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/](.+)$/.exec(id) ?? [];
  const parts = unused[path.replaceAll('\\', '/')];
  if (!parts) return undefined;
  const [, names = ''] = /export \{([^}]*)\};?\s*(?:\/\/.*)?$/.exec(code.trim()) ?? [];
  // Another version may have other parts: whoever updates it looks again.
  if (
    names
      .split(',')
      .map((name) => name.trim())
      .join() !== Object.keys(parts).join()
  ) {
    throw new Error(`React Router's ${path} exports other names than web/router-parts.ts knows: ${names}`);
  }
  return Object.entries(parts)
    .map(([name, value]) => `export const ${name} = ${value};`)
    .join('\n');
}

/** Leaves them out of what the browser gets. */
export const withoutUnusedRouterParts: Plugin = {
  name: 'without-unused-router-parts',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: (code, id) => inPlaceOf(id, code),
};
