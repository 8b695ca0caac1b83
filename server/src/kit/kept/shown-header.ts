import type { FastifyReply } from 'fastify';
import type { Shown } from './kept-answers.ts';

// Between a page and the calls it makes within this process: what their answers show, the page shows as well.
const header = 'x-shows';

export const setShown = (reply: FastifyReply, shown: Shown) => reply.header(header, JSON.stringify(shown));

/** What an answer to this process says that it shows; null where it says nothing. */
export function shownOf(headers: Readonly<Record<string, unknown>>): Shown | null {
  const said = headers[header];
  return typeof said === 'string' ? (JSON.parse(said) as Shown) : null;
}
