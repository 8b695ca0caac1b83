import { type RouteObject, type ServerBuild, matchRoutes } from 'react-router';
import { createBoundedCache } from '../cache/bounded-cache.ts';

/** A page's `handle` export: the parameters that its HTML depends on, and those with unlimited values. */
type PageHandle = { reads?: readonly string[]; endless?: readonly string[] };

export type PageAddress = {
  /** The page's canonical path. */
  path: string;
  /** The parameters that the page reads, with `?`. Others are ignored. */
  search: string;
  /** False for free text, whose values are unlimited. */
  isCached: boolean;
  /** For the router in the browser: the address of the page's data, without its HTML. */
  dataUrl: string | null;
};

// Longer paths are not cached, so that they don't fill the cache.
const longestKnownPath = 300;

/** What a path leads to, whatever its parameters. */
type Route = {
  /** The path as the routes spell it. */
  path: string;
  ids: readonly string[];
  reads: readonly string[];
  endless: readonly string[];
};

export type PageAddresses = {
  read: (url: string) => PageAddress;
  /** The address if its path was read lately, which takes no time. */
  peek: (url: string) => PageAddress | undefined;
};

/** Returns a parser of the URLs of a site's pages. */
export function createPageAddresses({ routes }: Pick<ServerBuild, 'routes'>): PageAddresses {
  const below = (parentId: string | undefined): RouteObject[] =>
    Object.values(routes)
      .filter((route) => route !== undefined && route.parentId === parentId)
      .map((route) => ({
        id: route?.id,
        path: route?.path,
        handle: route?.module.handle,
        ...(route?.index ? { index: true as const } : { children: below(route?.id) }),
      })) as RouteObject[];
  const tree = below(undefined);

  // React Router ranks all routes for each path, which takes longer than answering from the cache.
  const known = createBoundedCache<Route>('pageAddresses');
  return {
    read(url) {
      const asked = split(url);
      const route = known.get(asked.path) ?? findRoute(asked.path);
      if (asked.path.length <= longestKnownPath) known.set(asked.path, route);
      return toAddress(route, asked);
    },
    peek(url) {
      const asked = split(url);
      const route = known.get(asked.path);
      return route && toAddress(route, asked);
    },
  };

  function findRoute(path: string): Route {
    const matches = matchRoutes(tree, path) ?? [];
    const handles = matches.map(({ route }) => route.handle as PageHandle | undefined);
    return {
      path: findTruePath(matches) ?? path,
      ids: matches.flatMap(({ route }) => route.id ?? []),
      reads: handles.flatMap((handle) => handle?.reads ?? []),
      endless: handles.flatMap((handle) => handle?.endless ?? []),
    };
  }
}

function split(url: string) {
  const [requested = '', query = ''] = url.split(/\?(.*)/s);
  const isData = requested.endsWith('.data');
  const path = isData ? requested.replace(/(\/_)?\.data$/, (_, slash?: string) => (slash ? '/' : '')) : requested;
  return { path, query, isData };
}

function toAddress({ path, ids, reads, endless }: Route, { query, isData }: ReturnType<typeof split>): PageAddress {
  const params = new URLSearchParams(query);
  const isOneOfFew = endless.length > 0 ? /^[\w.-]{1,60}$/ : /^\d{1,6}$/;
  const wanted = reads.flatMap((name) =>
    params
      .getAll(name)
      .slice(0, 1)
      .map((value) => [name, value] as [string, string]),
  );
  return {
    path,
    search: toSearch(wanted),
    dataUrl: isData ? `${path.replace(/\/$/, '/_')}.data${toSearch([...wanted, ...listWantedRoutes(params, ids)])}` : null,
    isCached: wanted.every(([name, value]) => !endless.includes(name) && isOneOfFew.test(value)),
  };
}

const toSearch = (params: [string, string][]) => (params.length > 0 ? `?${new URLSearchParams(params).toString()}` : '');

/** The router's own parameter: the ids of the routes whose data it wants, all if it is missing. */
function listWantedRoutes(params: URLSearchParams, known: readonly string[]): [string, string][] {
  const wanted = params.get('_routes')?.split(',');
  if (!wanted) return [];
  const ids = known.filter((id) => wanted.includes(id));
  return [['_routes', ids.join() || 'none']];
}

// React Router matches any case, encoding and trailing slash.
function findTruePath(matches: readonly { route: RouteObject; params: Record<string, string | undefined> }[]): string | undefined {
  const pattern = matches.flatMap(({ route }) => (route.path ?? '').split('/').filter(Boolean));
  if (matches.length === 0 || pattern.includes('*')) return undefined;
  const params = matches.at(-1)?.params ?? {};
  const segments = pattern.flatMap((segment) => {
    if (!segment.startsWith(':')) return [segment];
    const value = params[segment.slice(1).replace(/\?$/, '')];
    return value === undefined ? [] : [encodeURIComponent(value)];
  });
  return `/${segments.join('/')}`;
}
