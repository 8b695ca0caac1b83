import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Events } from '../events/events.ts';
import type { TagVersions } from './tag-versions.ts';
import { mayHaveWritten } from './write-cookie.ts';

// Other clients may get a cached response that is at most this old.
const maxLagMs = 900;
const maxWaitMs = 1_000;

/** What a server must have read from the changes table before a cached response may answer a request. */
export type ReadBarrier = {
  /** Whether the client may have written a moment ago, on any server: it is signed in, or reloads the page. */
  needsLatest(request: FastifyRequest): boolean;
  /** Whether the request comes from a page of this process, which has waited already. */
  isInternal(request: FastifyRequest): boolean;
  /** Waits until every change that this request must see has been read. */
  wait(request: FastifyRequest): Promise<void>;
  /** Waits until the request's own writes have been read. If that fails, the whole cache is invalidated. */
  waitForOwnWrites(): Promise<void>;
};

/** `alwaysLatest` is for tests that write to the database directly. */
export function openReadBarrier(
  { events, tagVersions }: { events: Events; tagVersions: Pick<TagVersions, 'invalidateAll'> },
  isInternal: ReadBarrier['isInternal'],
  alwaysLatest: boolean,
): ReadBarrier {
  const needsLatest: ReadBarrier['needsLatest'] = ({ headers, url }) =>
    alwaysLatest ||
    mayHaveWritten({ headers }) ||
    /no-cache|max-age=0/.test(headers['cache-control'] ?? '') ||
    // Links followed within the site carry no session.
    url.split('?', 1)[0]?.endsWith('.data') === true;
  const invalidateIfBehind = async (reading: Promise<void>) => {
    await reading;
    if (!events.isCurrentWithin(maxLagMs)) tagVersions.invalidateAll();
  };
  const invalidateAfterWait = async (signal: AbortSignal) => {
    const isOver = await pause(maxWaitMs, true, { signal }).catch(() => false);
    if (isOver) tagVersions.invalidateAll();
  };
  let last: { reading: Promise<void>; caughtUp: Promise<void> } | undefined;
  const catchUp = (): Promise<void> => {
    const reading = events.catchUp();
    // Requests that share a reading share its end.
    if (last?.reading === reading) return last.caughtUp;
    const ended = new AbortController();
    const caughtUp = Promise.race([invalidateIfBehind(reading).finally(() => ended.abort()), invalidateAfterWait(ended.signal)]);
    last = { reading, caughtUp };
    return caughtUp;
  };
  return {
    needsLatest,
    isInternal,
    async wait(request) {
      if (isInternal(request)) return;
      if (needsLatest(request) || !events.isCurrentWithin(maxLagMs)) await catchUp();
    },
    waitForOwnWrites: catchUp,
  };
}
