import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CacheState, EncodedResponse, Encoding, MissReason, ResponseCache } from './response-cache.ts';

/** Sends a response with its cache headers, or 304 if the client has it. */
export async function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    cache,
    key,
    response,
    state,
    missed,
  }: { cache: ResponseCache; key: string; response: EncodedResponse; state: CacheState; missed?: MissReason },
): Promise<FastifyReply> {
  cache.served[state] += 1;
  reply.header('x-cache', state);
  if (missed) {
    cache.missed[missed] += 1;
    reply.header('x-cache-missed', missed);
  }
  return sendEncoded(request, reply, response, (encoding) => cache.bodyOf(key, response, encoding));
}

/** Sends a response in the best encoding that the client accepts, or 304 if the client has it. */
export async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  response: Pick<EncodedResponse, 'headers' | 'etag' | 'as'>,
  bodyOf: (encoding: Encoding) => Promise<Buffer> = (encoding) => response.as(encoding),
): Promise<FastifyReply> {
  reply.headers(response.headers).header('etag', response.etag);
  if (matchesEtag(request.headers['if-none-match'], response.etag)) return reply.code(304).send();
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await bodyOf(encoding));
}

// A proxy that compresses marks the tag as weak.
const matchesEtag = (tags: string | undefined, etag: string) =>
  tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

/** The best encoding that a client accepts. */
export function acceptedEncoding(accepted: string | string[] | undefined): Encoding {
  const text = String(accepted ?? '');
  if (/\bbr\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(text)) return 'br';
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(text) ? 'gzip' : 'identity';
}
