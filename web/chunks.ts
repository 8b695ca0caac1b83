import { join } from 'node:path';

/** What the bundler says of a module. */
type Modules = { getModuleInfo(id: string): { importedIds: readonly string[]; code: string | null } | null };

const app = (path: string) => join(import.meta.dirname, 'app', path);
const isForAll = (id: string) => /[\\/]web[\\/]app[\\/](ui|lib)[\\/]/.test(id);
const isIcons = (id: string) => /@tabler[\\/]icons-react[\\/]dist[\\/]esm[\\/]tabler-icons-react\.mjs$/.test(id);
const iconOf = (id: string) => /(\w+)\.mjs$/.exec(id)?.[1] ?? '';
const isSchemas = (id: string) => /[\\/]node_modules[\\/]zod[\\/]/.test(id);

const entry = 'entry.client.tsx';
/** What every page loads. */
const frame = [entry, 'root.tsx'];
/** What visitors see first, from a search engine or a link. */
const landing = 'pages/site/landing.tsx';
/** What comes to a listing with the reader's first sign. */
const later = 'pages/listings/listing-rest.tsx';
const pagesWithCards = ['pages/listings/listing.tsx', 'pages/search/services-category.tsx'];

/**
 * Puts modules of the browser's build together where it is not for the bundler to decide, so that a first visit takes few files, for on a
 * phone's connection each request costs more than its content, and nothing that only forms and members need: `site` is what every page
 * loads, `public` what the landing page has besides and others need too, `cards` what these others share, `later` what the parts below a
 * listing's description need of what is there for all. What brings schemas along is left to the bundler.
 */
export function chunkGroups() {
  let names: Map<string, string> | undefined;
  const group = (name: string, priority: number) => ({
    name: (id: string, modules: Modules) => ((names ??= nameAll(modules)).get(id) === name ? name : null),
    debugName: name,
    priority,
  });
  return [group('site', 4), group('public', 3), group('cards', 2), group('later', 1)];
}

function nameAll(modules: Modules): Map<string, string> {
  const light = new Map<string, boolean>();
  // The library of icons is one module that imports thousands: of these, those that are named by who imports it.
  const importsOf = (id: string) => {
    const { importedIds, code } = modules.getModuleInfo(id) ?? { importedIds: [], code: null };
    if (isIcons(id)) return [];
    const icons = importedIds.find(isIcons);
    if (!icons) return importedIds;
    const named = new Set((code ?? '').match(/\bIcon[A-Z]\w*/g));
    const files = modules.getModuleInfo(icons)?.importedIds ?? [];
    return [...importedIds, ...files.filter((file) => named.has(iconOf(file)))];
  };
  const isLight = (id: string): boolean => {
    const known = light.get(id);
    if (known !== undefined) return known;
    light.set(id, !isSchemas(id));
    const answer = !isSchemas(id) && importsOf(id).every(isLight);
    light.set(id, answer);
    return answer;
  };
  const reachedFrom = (id: string, seen = new Set<string>()) => {
    if (seen.has(id)) return seen;
    seen.add(id);
    for (const next of importsOf(id)) reachedFrom(next, seen);
    return seen;
  };
  const ofFrame = new Set(frame.flatMap((path) => [...reachedFrom(app(path))]));
  const ofLanding = reachedFrom(app(landing));
  const ofCards = pagesWithCards.map((path) => reachedFrom(app(path)));
  const ofLater = reachedFrom(app(later));
  const names = new Map<string, string>();
  for (const id of new Set([...ofFrame, ...ofLanding, ...ofCards.flatMap((ids) => [...ids])])) {
    const pages = [ofLanding, ...ofCards].filter((ids) => ids.has(id)).length;
    // The entry begins to work once it is read: it stays by itself, for the routes to be there first.
    if (!isLight(id) || id === app(entry)) continue;
    if (ofFrame.has(id)) names.set(id, 'site');
    else if (pages > 1 || isForAll(id)) names.set(id, ofLanding.has(id) ? 'public' : 'cards');
  }
  for (const id of ofLater) if (isLight(id) && isForAll(id) && !names.has(id)) names.set(id, 'later');
  return names;
}
