import { categories } from '@handwise/contract/listings/categories';
import { paths } from '@handwise/contract/paths';
import { regions } from '@handwise/contract/places/regions';
import type { FastifyPluginAsync } from 'fastify';
import type { Db } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { placesOfCategory } from '../search/search.service.ts';
import { countByCategoryAndRegion, listForSiteMap, getNewestListingNumber } from '../listings/listings.service.ts';
import { listPeriods, monthText } from '../tickets/tickets.service.ts';

// The protocol allows 50,000 addresses a file; half of it keeps a file below a few megabytes. A file holds a range of listing
// numbers, so a listing stays in its file and no file needs a walk over the ones before it.
const numbersPerFile = 25_000;
const firstNumber = 1001;

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const file = (root: 'urlset' | 'sitemapindex', entries: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</${root}>\n`;

/** `robots.txt`, the index of site maps, one map of pages, one of the towns of each group, and as many of listings as their numbers need. */
export const siteMapRoutes: FastifyPluginAsync<{ db: Db; appUrl: string }> = async (app, { db, appUrl }) => {
  const url = (path: string, changed?: Date) =>
    `<url><loc>${escaped(appUrl + path)}</loc>${changed ? `<lastmod>${changed.toISOString().slice(0, 10)}</lastmod>` : ''}</url>`;

  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          'User-agent: *',
          'Disallow: /api/',
          'Disallow: /auth/',
          'Disallow: /account',
          'Disallow: /admin',
          '',
          `Sitemap: ${appUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  );

  app.get('/sitemap.xml', { schema: { hide: true } }, async (_request, reply) => {
    const newest = await getNewestListingNumber(db);
    const files = Math.max(1, Math.ceil((newest - firstNumber + 1) / numbersPerFile));
    const towns = categories.map(({ slug }) => `/sitemaps/towns-${slug}.xml`);
    const names = ['/sitemaps/pages.xml', ...towns, ...Array.from({ length: files }, (_, index) => `/sitemaps/listings-${index + 1}.xml`)];
    return reply.type('application/xml').send(
      file(
        'sitemapindex',
        names.map((name) => `<sitemap><loc>${escaped(appUrl + name)}</loc></sitemap>`),
      ),
    );
  });

  app.get('/sitemaps/pages.xml', { schema: { hide: true } }, async (_request, reply) => {
    const [counts, months] = await Promise.all([countByCategoryAndRegion(db), listPeriods(db)]);
    const filled = new Set(counts.map((count) => `${count.category_code} ${count.region_code}`));
    const ofPlaces = categories.flatMap((category) =>
      regions
        .filter((region) => filled.has(`${category.code} ${region.code}`))
        .map((region) => paths.servicesIn(category.slug, region.slug)),
    );
    const addresses = [
      paths.landing,
      paths.services,
      paths.getQuotes,
      paths.pros,
      paths.privacy,
      paths.terms,
      paths.contact,
      paths.howToStop,
      paths.reviewsPolicy,
      paths.howWeCheck,
      paths.draws,
      paths.drawRules,
      ...months.map((month) => paths.draw(monthText(month))),
      ...categories.map((category) => paths.servicesIn(category.slug)),
      ...ofPlaces,
    ];
    return reply.type('application/xml').send(
      file(
        'urlset',
        addresses.map((path) => url(path)),
      ),
    );
  });

  // A file for each group: all towns with all groups would be more than one may hold.
  app.get<{ Params: { category: string } }>('/sitemaps/towns-:category.xml', { schema: { hide: true } }, async ({ params }, reply) => {
    const category = categories.find(({ slug }) => slug === params.category);
    if (!category) throw new AppError('route_not_found');
    const places = await placesOfCategory(db, category.code);
    return reply.type('application/xml').send(
      file(
        'urlset',
        places.map(({ region, town }) => url(paths.servicesIn(category.slug, region, town))),
      ),
    );
  });

  app.get<{ Params: { part: string } }>('/sitemaps/listings-:part.xml', { schema: { hide: true } }, async ({ params }, reply) => {
    const part = /^[1-9]\d{0,3}$/.test(params.part) ? Number(params.part) : 0;
    if (part === 0) throw new AppError('route_not_found');
    const from = firstNumber + (part - 1) * numbersPerFile;
    const listings = await listForSiteMap(db, from, from + numbersPerFile);
    return reply.type('application/xml').send(
      file(
        'urlset',
        listings.map((listing) => url(paths.listing(listing.id), listing.updated_at)),
      ),
    );
  });
};
