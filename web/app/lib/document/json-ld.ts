/** Structured data as the text of a script element, with `<` escaped so that no value can end the element. */
export const jsonLdText = (data: object) => JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');

/** The breadcrumb trail as structured data. `origin` has no trailing slash. */
export const breadcrumbList = (origin: string, trail: readonly { name: string; path: string }[]) => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, index) => ({ '@type': 'ListItem', position: index + 1, name, item: origin + path })),
});
