import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Encoding, KeptAnswers, Missed, Sent } from './kept-answers.ts';

/** Sends an answer, or only that whoever asks has it already. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { answers, key, answer, state, missed }: { answers: KeptAnswers; key: string; answer: Answer; state: Sent; missed?: Missed },
): Promise<FastifyReply> {
  answers.sent[state] += 1;
  reply.header('x-cache', state);
  if (missed) {
    answers.missed[missed] += 1;
    reply.header('x-cache-missed', missed);
  }
  return sendEncoded(request, reply, answer, (encoding) => answers.bodyOf(key, answer, encoding));
}

/** Sends an answer in the best encoding that the client accepts, or a 304. */
export async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  bodyOf: (encoding: Encoding) => Promise<Buffer> = (encoding) => answer.as(encoding),
): Promise<FastifyReply> {
  reply.headers(answer.headers).header('etag', answer.etag);
  if (isKnown(request.headers['if-none-match'], answer.etag)) return reply.code(304).send();
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await bodyOf(encoding));
}

// Whatever compresses on the way marks the tag as weak.
const isKnown = (tags: string | undefined, etag: string) =>
  tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

function acceptedEncoding(accepted: string | string[] | undefined): Encoding {
  const text = String(accepted ?? '');
  if (/\bbr\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(text)) return 'br';
  return /\bgzip\b(?!;\s*q=0(?:\.0*)?(?:,|$))/.test(text) ? 'gzip' : 'identity';
}
