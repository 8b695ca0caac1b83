/** Structured data as the text of a script element. No text in it can end that element: `<` never stands in it. */
export const jsonLdText = (data: object) => JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');

/** A trail from the front page to the page, for search engines. `origin` has no slash at its end. */
export const breadcrumbList = (origin: string, trail: readonly { name: string; path: string }[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, index) => ({ '@type': 'ListItem', position: index + 1, name, item: origin + path })),
});
