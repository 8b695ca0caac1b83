import { useState, useSyncExternalStore } from 'react';
import { jsonLdText } from '../../lib/document/json-ld.ts';

const never = () => () => {};

/**
 * What the page is about, for search engines. They load every address anew, so it comes with the server's HTML only: a page that
 * the browser renders by itself has no use for it.
 */
export function JsonLd({ data }: { data: object }) {
  const isInHtml = useSyncExternalStore(
    never,
    () => false,
    () => true,
  );
  const [rendered] = useState(isInHtml);
  return rendered ? <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonLdText(data) }} /> : null;
}
