import { siteName } from './site.ts';

type Page = {
  /** Without the site's name, which is added. */
  title: string;
  description: string;
  /** Path of the page's one true address, without parameters. */
  path: string;
  /** A path below the site's root; the drawn card where there is none. */
  image?: string | undefined;
  /** Pages that are nobody's search result. */
  noIndex?: boolean;
};

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[];

/** Title, description, canonical address and Open Graph of a page: `export const meta = ({ matches }) => pageMeta(matches, {…})`. */
export function pageMeta(matches: Matches, { title, description, path, image = '/og.png', noIndex = false }: Page) {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { origin: string } | undefined;
  const origin = root?.origin ?? '';
  const fullTitle = title.includes(siteName) ? title : `${title} | ${siteName}`;
  return [
    { title: fullTitle },
    { name: 'description', content: description },
    ...(noIndex ? [{ name: 'robots', content: 'noindex' }] : [{ tagName: 'link', rel: 'canonical', href: origin + path } as const]),
    { property: 'og:site_name', content: siteName },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:url', content: origin + path },
    { property: 'og:image', content: URL.parse(image, origin)?.href ?? image },
    { name: 'twitter:card', content: 'summary_large_image' },
  ];
}
