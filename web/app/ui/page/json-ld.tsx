import { useState, useSyncExternalStore } from 'react';

const never = () => () => {};
const asItCame = { __html: '' };

/**
 * What the page is about, for search engines. They load every address anew, so it comes with the server's HTML only: a page that
 * the browser renders by itself has no use for it. Whoever makes the text does so where `import.meta.env.SSR` is true, and gives
 * browsers, which leave it as it came, an empty one: they need not load what makes it.
 */
export function JsonLd({ text }: { text: string }) {
  const isInHtml = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [rendered] = useState(isInHtml);
  const html = import.meta.env.SSR ? { __html: text } : asItCame;
  return rendered ? <script type="application/ld+json" dangerouslySetInnerHTML={html} suppressHydrationWarning /> : null;
}

/** Structured data as the text of a script element, with `<` escaped so that no value can end the element. */
export const jsonLdText = (data: object) => JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');

/** The breadcrumb trail as structured data. `origin` has no trailing slash. */
export const breadcrumbList = (origin: string, trail: readonly { name: string; path: string }[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, index) => ({ '@type': 'ListItem', position: index + 1, name, item: origin + path })),
});
