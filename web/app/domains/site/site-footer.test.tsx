import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { SiteFooter } from './site-footer.tsx';

const footer = (slim: boolean) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <SiteFooter origin="https://handwise.example" categories={[]} year={2026} operator="Kea Limited, 9 Quay Street" slim={slim} />
    </MemoryRouter>,
  );
const site = encodeURIComponent('https://handwise.example');

test.each([
  ['Facebook', `https://www.facebook.com/sharer/sharer.php?u=${site}`],
  ['WhatsApp', `https://wa.me/?text=${site}`],
  ['LinkedIn', `https://www.linkedin.com/sharing/share-offsite/?url=${site}`],
])("opens %s with the site's address, in a tab without access to this one", (name, href) => {
  expect(footer(false)).toContain(
    `<a href="${href}" rel="noopener noreferrer" target="_blank" aria-label="Share Handwise on ${name} (opens in a new tab)">`,
  );
});

test('shows no links below a form of several pages', () => {
  expect(footer(true)).not.toContain('<a ');
  expect(footer(true)).toContain('© 2026 Handwise. All rights reserved.');
});
