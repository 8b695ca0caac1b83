import { useState, useSyncExternalStore } from 'react';

const never = () => () => {};
const emptyHtml = { __html: '' };

/**
 * The page's structured data. Search engines load every address, so it is only in the server's HTML. Build the text only if
 * `import.meta.env.SSR`, and pass an empty one in browsers, which need not load its code.
 */
export function JsonLd({ text }: { text: string }) {
  const isInHtml = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [rendered] = useState(isInHtml);
  const html = import.meta.env.SSR ? { __html: text } : emptyHtml;
  return rendered ? <script type="application/ld+json" dangerouslySetInnerHTML={html} suppressHydrationWarning /> : null;
}

/** Structured data as the text of a script element, with `<` escaped so that no value can end the element. */
export const formatJsonLd = (...things: object[]) =>
  JSON.stringify({ '@context': 'https://schema.org', '@graph': things }).replaceAll('<', '\\u003c');

/** The breadcrumb trail as structured data. `origin` has no trailing slash. */
export const createBreadcrumbList = (origin: string, trail: readonly { name: string; path: string }[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, index) => ({ '@type': 'ListItem', position: index + 1, name, item: origin + path })),
});
