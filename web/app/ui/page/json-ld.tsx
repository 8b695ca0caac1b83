import { useState, useSyncExternalStore } from 'react';
import { jsonLdText } from '../../lib/document/json-ld.ts';

const never = () => () => {};

/**
 * What the page is about, for search engines. They load every address anew, so it comes with the server's HTML only: a page that
 * the browser renders by itself has no use for it. `data` is for `import.meta.env.SSR` only, so that the browser need not load what
 * makes it; what is in the HTML stays as it is.
 */
export function JsonLd({ data }: { data: object | undefined }) {
  const isInHtml = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [rendered] = useState(isInHtml);
  return rendered ? (
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: data ? jsonLdText(data) : '' }} suppressHydrationWarning />
  ) : null;
}
