import { createHash } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { formatDate } from '@handwise/contract/dates';
import { isId } from '@handwise/contract/ids';
import { counted } from '@handwise/contract/numbers';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import { site } from '@handwise/contract/site/site';
import type { Context } from '../../kit/context.ts';
import { isLive } from '../listings/listings.service.ts';
import { findRatedListing } from './reviews.queries.ts';

/** Long enough for a busy site, short enough that a removed review does not count for long. */
const cacheSeconds = 600;

/**
 * The rating of a listing as an image for the business's own site. It has no script, reads and sets no cookie, and is the same for everyone. What a
 * stranger's proxy would not show as an image, it would not ask for again either, so a listing that is gone has an image too.
 */
export const badgeRoutes: FastifyPluginAsync<{ context: Context }> = async (app, { context: { db, clock } }) => {
  app.get<{ Params: { id: string } }>('/badge/:id.svg', { schema: { hide: true } }, async (request, reply) => {
    const { id } = request.params;
    const listing = isId(id) ? await findRatedListing(db, id) : undefined;
    const isShown = listing !== undefined && isLive(listing);
    const svg = isShown
      ? drawBadge(listing.rating_counts, formatDate(clock.now(), getRegionTimeZone(listing.region_code, listing.country)))
      : drawImage(`${site.name}: not listed at the moment`, [`Not listed on ${site.name}`, 'at the moment']);
    const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"`;
    reply
      .header('cache-control', `public, max-age=${cacheSeconds}`)
      .header('etag', etag)
      // Shown on other sites, which helmet's default would not allow.
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'");
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    return reply
      .code(isShown ? 200 : 404)
      .type('image/svg+xml; charset=utf-8')
      .send(svg);
  });
};

/** `counts` are the reviews with 1, 2, 3, 4 and 5 stars. */
function drawBadge(counts: readonly number[], date: string): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return drawImage(`No reviews on ${site.name} yet, ${date}`, ['No reviews yet', `${site.name}, ${date}`]);
  const average = (counts.reduce((sum, count, index) => sum + count * (index + 1), 0) / total).toFixed(1);
  const reviews = counted(total, 'review');
  return drawImage(`${average} of 5 stars from ${reviews} on ${site.name}, ${date}`, [
    `★ ${average} from ${reviews}`,
    `${site.name}, ${date}`,
  ]);
}

const escapeXml = (text: string) => text.replaceAll(/[<>&"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Two lines of our own words; nothing that a member has written is in it. */
function drawImage(title: string, lines: readonly [string, string]): string {
  const [name, first, second] = [title, ...lines].map(escapeXml);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="220" height="56" viewBox="0 0 220 56" role="img" aria-label="${name}"><title>${name}</title><rect x=".5" y=".5" width="219" height="55" rx="10" fill="#fff" stroke="#DDD9CF"/><g font-family="system-ui,-apple-system,'Segoe UI',Roboto,sans-serif" fill="#0F2A2E"><text x="16" y="25" font-size="16" font-weight="600">${first}</text><text x="16" y="43" font-size="12" fill="#5B6B6D">${second}</text></g></svg>\n`;
}
