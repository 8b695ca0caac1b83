import { type RouteObject, type ServerBuild, matchRoutes } from 'react-router';
import { boundedCache } from '../cache/bounded-cache.ts';

/** What a page says of itself, exported as `handle`: the parameters of its address that its HTML depends on, and which have endless values. */
type PageHandle = { reads?: readonly string[]; endless?: readonly string[] };

export type PageAddress = {
  /** The page's one true path, of however many spellings that lead to it. */
  path: string;
  /** The parameters that the page reads, `?` included. Others make no other page. */
  search: string;
  /** Free text has endless values: such pages are made each time. */
  isCached: boolean;
};

// Longer addresses are parsed each time, so that they don't fill the cache.
const maxKnownAddress = 300;

/** Reads the addresses of a site's pages. */
export function pageAddresses({ routes }: Pick<ServerBuild, 'routes'>): (url: string) => PageAddress {
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

  // React Router ranks all routes for each address, which takes longer than answering from the cache.
  const addresses = boundedCache<PageAddress>('pageAddresses');
  return (url) => {
    const known = addresses.get(url);
    if (known) return known;
    const address = read(url);
    if (url.length <= maxKnownAddress) addresses.set(url, address);
    return address;
  };

  function read(url: string): PageAddress {
    const [path = '', query = ''] = url.split(/\?(.*)/s);
    const matches = matchRoutes(tree, path) ?? [];
    const given = new URLSearchParams(query);
    const handles = matches.map(({ route }) => route.handle as PageHandle | undefined);
    const reads = handles.flatMap((handle) => handle?.reads ?? []);
    const endless = handles.flatMap((handle) => handle?.endless ?? []);
    const isOneOfFew = endless.length > 0 ? /^[\w.-]{1,60}$/ : /^\d{1,6}$/;
    const wanted = reads.flatMap((name) =>
      given
        .getAll(name)
        .slice(0, 1)
        .map((value) => [name, value] as [string, string]),
    );
    return {
      path: truePath(matches) ?? path,
      search: wanted.length > 0 ? `?${new URLSearchParams(wanted).toString()}` : '',
      isCached: wanted.every(([name, value]) => !endless.includes(name) && isOneOfFew.test(value)),
    };
  }
}

// React Router takes any case, any encoding and a slash at the end for the same page.
function truePath(matches: readonly { route: RouteObject; params: Record<string, string | undefined> }[]): string | undefined {
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
