import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { categories } from '@handwise/contract/listings/categories';
import { getLogoPng } from '@handwise/contract/site/logo';
import { site } from '@handwise/contract/site/site';
import { createBoundedCache } from '../../kit/cache/bounded-cache.ts';
import type { Encoding } from '../../kit/cache/response-cache.ts';
import { sendEncoded } from '../../kit/cache/send-response.ts';
import type { Db } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { getRelyingParty } from '../../kit/hosts.ts';
import * as queries from './site.documents.queries.ts';
import { getLlmsPath, indexPath } from './site.documents.ts';

type Options = { db: Db; appUrl: string; marketHosts: readonly string[] };

/** What phones show of the site on their home screen. */
const buildManifest = () => ({
  id: '/',
  name: site.name,
  short_name: site.name,
  description: 'Home and trade services in New Zealand and Australia',
  lang: 'en',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: '#fbfaf7',
  theme_color: '#fbfaf7',
  icons: buildIcons(),
});

const png = { type: 'image/png' };

function buildIcons() {
  const [small, large, mask] = [getLogoPng('small'), getLogoPng('large'), getLogoPng('mask')];
  if (small && large && mask) {
    return [
      { src: small, sizes: '192x192', ...png },
      { src: large, sizes: '512x512', ...png },
      { src: mask, sizes: '512x512', ...png, purpose: 'maskable' },
    ];
  }
  return [
    { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ];
}

// Of the build, and named by pages and the service worker, which know no uploaded logo.
const builtIcons: Readonly<Record<string, Parameters<typeof getLogoPng>[0]>> = {
  '/favicon.svg': 'small',
  '/apple-touch-icon.png': 'apple',
  '/icon-192.png': 'small',
  '/icon-512.png': 'large',
  '/icon-maskable-512.png': 'mask',
};

/** Sends whoever asks for a built-in icon to the uploaded logo, if there is one. */
export function redirectIcons(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const variant = builtIcons[request.url.split('?', 1)[0] ?? ''];
    const logo = variant && getLogoPng(variant);
    if (logo) await reply.header('cache-control', 'no-cache').redirect(logo, 302);
  });
}

const decompress = promisify(gunzip);
const hidden = { schema: { hide: true } };

/** `robots.txt`, the manifest, the sitemaps and `llms.txt`. The last two are stored documents (`site.documents.ts`); one that is missing is a 503. */
export const crawlerRoutes: FastifyPluginAsync<Options> = async (app, { db, appUrl, marketHosts }) => {
  app.get('/robots.txt', hidden, (_request, reply) =>
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

  app.get('/site.webmanifest', hidden, (_request, reply) =>
    reply.type('application/manifest+json; charset=utf-8').header('cache-control', 'no-cache').send(JSON.stringify(buildManifest())),
  );

  const bodies = createBoundedCache<Buffer>('documents');

  async function loadBody(path: string, etag: string, encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return decompress(await loadBody(path, etag, 'gzip'));
    const key = `${path} ${etag} ${encoding}`;
    const body = bodies.get(key) ?? (await queries.findDocumentBody(db, path, etag, encoding));
    // Rebuilt since its etag was read.
    if (!body) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    bodies.set(key, body);
    return body;
  }

  const sendDocument = async (request: FastifyRequest, reply: FastifyReply, path: string, type = 'application/xml') => {
    const etag = await queries.findDocumentEtag(db, path);
    if (etag === undefined) throw new AppError('unavailable', { retryAfterSeconds: 60 });
    const headers = { 'content-type': type, 'cache-control': 'no-cache', vary: 'accept-encoding' };
    return sendEncoded(request, reply, { etag, headers, as: (encoding) => loadBody(path, etag, encoding) });
  };

  app.get(indexPath, hidden, (request, reply) => sendDocument(request, reply, indexPath));
  app.get('/sitemaps/pages.xml', hidden, (request, reply) => sendDocument(request, reply, '/sitemaps/pages.xml'));

  app.get<{ Params: { category: string } }>('/sitemaps/towns-:category.xml', hidden, async (request, reply) => {
    const category = categories.find(({ slug }) => slug === request.params.category);
    if (!category) throw new AppError('route_not_found');
    return sendDocument(request, reply, `/sitemaps/towns-${category.slug}.xml`);
  });

  app.get<{ Params: { part: string } }>('/sitemaps/listings-:part.xml', hidden, async (request, reply) => {
    const { part } = request.params;
    if (!/^[1-9]\d{0,3}$/.test(part)) throw new AppError('route_not_found');
    const path = `/sitemaps/listings-${part}.xml`;
    // Once the index is stored, all files are.
    const isStored = (await queries.findDocumentEtag(db, path)) !== undefined;
    if (!isStored && (await queries.findDocumentEtag(db, indexPath)) !== undefined) throw new AppError('route_not_found');
    return sendDocument(request, reply, path);
  });

  app.get('/llms.txt', hidden, (request, reply) => {
    const host = getRelyingParty(request.headers.host, { appUrl, hosts: marketHosts });
    return sendDocument(request, reply, getLlmsPath(host), 'text/plain; charset=utf-8');
  });
};
