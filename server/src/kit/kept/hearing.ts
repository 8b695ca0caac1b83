import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Events } from '../events/events.ts';
import type { Freshness } from './freshness.ts';

// Nobody who has changed nothing is given what is older.
const heardWithinMs = 900;
const longestMs = 1_000;

/** What must have been heard before something that is kept may answer a request. */
export type Hearing = {
  /** Whether who asks may have changed something a moment ago, be it on another server: whoever has signed in, or loads a page anew. */
  isOwn(request: FastifyRequest): boolean;
  /** Whether a page of this process asks, which has heard already. */
  isInternal(request: FastifyRequest): boolean;
  /** Waits until all is heard that this request must not miss. */
  hear(request: FastifyRequest): Promise<void>;
  /** Waits until what a request has changed is heard. Whoever cannot hear it keeps nothing. */
  hearOwn(): Promise<void>;
};

/** `hearsAll`: for tests, which read at once what they wrote past the server. */
export function openHearing(
  { events, freshness }: { events: Events; freshness: Pick<Freshness, 'allChanged'> },
  isInternal: Hearing['isInternal'],
  hearsAll: boolean,
): Hearing {
  const isOwn: Hearing['isOwn'] = ({ headers, url }) =>
    hearsAll ||
    headers.authorization !== undefined ||
    headers['handwise-position'] !== undefined ||
    /no-cache|max-age=0/.test(headers['cache-control'] ?? '') ||
    // Links that are followed within the site: nobody can say who follows them.
    url.split('?', 1)[0]?.endsWith('.data') === true;
  // Nobody waits long for a database that does not answer: what is kept may be wrong then.
  const forgetIfDeaf = async (reading: Promise<void>) => {
    await reading;
    if (!events.hasHeardWithin(heardWithinMs)) freshness.allChanged();
  };
  const forgetAfter = async (signal: AbortSignal) => {
    const isOver = await pause(longestMs, true, { signal }).catch(() => false);
    if (isOver) freshness.allChanged();
  };
  let last: { reading: Promise<void>; heard: Promise<void> } | undefined;
  const hearOrForget = (): Promise<void> => {
    const reading = events.catchUp();
    // Those who share a reading share its end.
    if (last?.reading === reading) return last.heard;
    const ended = new AbortController();
    const heard = Promise.race([forgetIfDeaf(reading).finally(() => ended.abort()), forgetAfter(ended.signal)]);
    last = { reading, heard };
    return heard;
  };
  return {
    isOwn,
    isInternal,
    async hear(request) {
      if (isInternal(request)) return;
      if (isOwn(request) || !events.hasHeardWithin(heardWithinMs)) await hearOrForget();
    },
    hearOwn: hearOrForget,
  };
}
