import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const begins = 'window.__reactRouterManifest=';

/** What only the server reads, for the preloads in the HTML, and nobody. */
const unread = new Set(['imports', 'hasDefaultExport']);

const isSaid = ([key, value]: [string, unknown]) => !unread.has(key) && value !== false && !(Array.isArray(value) && value.length === 0);

type Routes = {
  entry: { module: string };
  routes: Record<string, { parentId?: string; module: string; clientLoaderModule?: string; clientActionModule?: string }>;
};

/** The routes that the file of the routes has, by id. */
export function routesIn(script: string): Routes {
  if (!script.startsWith(begins)) throw new Error('The file of the routes is written another way: see routes-manifest.ts');
  return JSON.parse(script.slice(begins.length).replace(/;$/, '')) as Routes;
}

/** The routes as the browser's router needs them: without what it does not read, and what is as it is where nothing is said. */
export function slimManifest(script: string): string {
  const { routes, ...rest } = routesIn(script);
  const slim = Object.entries(routes).map(([id, route]) => [id, Object.fromEntries(Object.entries(route).filter(isSaid))]);
  return `${begins}${JSON.stringify({ ...rest, routes: Object.fromEntries(slim) })};`;
}

/** Every visitor loads the file of the routes: as the framework writes it, it is a twentieth of all script. */
export function slimManifestIn(folder: string) {
  for (const name of readdirSync(folder).filter((name) => /^manifest-\w+\.js$/.test(name))) {
    const path = join(folder, name);
    writeFileSync(path, slimManifest(readFileSync(path, 'utf8')));
  }
}
