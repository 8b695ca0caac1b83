import { parseUrl } from '@handwise/contract/urls';
import { site } from '@handwise/contract/site/site';

type Page = {
  /** Without the site's name, which is appended. */
  title: string;
  description: string;
  /** The canonical path, without parameters. */
  path: string;
  /** A path; the default card if absent. */
  image?: string | undefined;
  /** Keeps the page out of search engines. */
  noIndex?: boolean;
};

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** Title, description, canonical address and Open Graph of a page: `export const meta = ({ matches }) => pageMeta(matches, {…})`. */
export function pageMeta(matches: Matches, { title, description, path, image = '/og.png', noIndex = false }: Page) {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { origin: string } | undefined;
  const origin = root?.origin ?? '';
  const fullTitle = title.startsWith(`${site.name}:`) ? title : `${title} | ${site.name}`;
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    ...(noIndex ? [{ name: 'robots', content: 'noindex' }] : [{ tagName: 'link', rel: 'canonical', href: origin + path } as const]),
    { property: 'og:site_name', content: site.name },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: origin + path },
    { property: 'og:image', content: parseUrl(image, origin)?.href ?? image },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}
