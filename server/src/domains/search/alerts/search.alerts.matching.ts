import { dayMs } from '@handwise/contract/dates';
import type { Context } from '../../../kit/context.ts';
import type { Tx } from '../../../kit/database/database.ts';
import { reachOf } from '../near/search.near.ts';
import type { ListingFilter } from '../search.rules.ts';
import { meaningsOfWords } from '../words/search.meanings.ts';
import type { Meaning } from '../words/search.words.rules.ts';
import { deleteForGood } from './search.alerts.queries.ts';
import * as queries from './search.alerts.matching.queries.ts';

/** So many new listings at once are held against all alerts. */
const atOnce = 2_000;
/** So many words at once are looked up. */
const wordsAtOnce = 500;

/** A new listing that is not on the site is new for so long. */
const newForMs = 7 * dayMs;
const toldForMs = 60 * dayMs;
const undoneForMs = dayMs;

/**
 * Holds what went live since the last time against all alerts together. A listing is taken in the transaction that writes down who is to
 * hear of it: killed, run twice or on two servers, each is found once.
 */
export async function matchAlerts({ db, clock, logger }: Context): Promise<void> {
  let all = 0;
  let found = 0;
  for (let taken = atOnce; taken === atOnce; all += taken) {
    // oxlint-disable-next-line no-await-in-loop -- each turn takes what the one before left
    const turn = await db.transaction().execute((tx) => matchSome(tx));
    ({ taken } = turn);
    found += turn.found;
  }
  const now = clock.now().getTime();
  await deleteForGood(db, new Date(now - undoneForMs));
  await queries.forgetBefore(db, { live: new Date(now - newForMs), told: new Date(now - toldForMs) });
  if (all > 0) logger.info({ listings: all, found }, 'new listings were held against the alerts');
}

async function matchSome(tx: Tx): Promise<{ taken: number; found: number }> {
  const fresh = await queries.takeNew(tx, atOnce);
  if (fresh.length === 0) return { taken: 0, found: 0 };
  const reached = (await queries.listReaches(tx)).flatMap((reach) => reachedBy(reach, fresh));
  const found = await queries.matchAll(tx, fresh, await saidBy(tx, fresh), reached);
  return { taken: fresh.length, found };
}

/** Who of the new comes to where an alert asks. */
function reachedBy(reach: ListingFilter, fresh: readonly queries.Fresh[]): queries.Reached[] {
  const { legs, districts } = reachOf(reach, [...new Set(fresh.map(({ cell }) => cell))]);
  const least = new Map(legs.map((leg) => [leg.code, leg.least]));
  return fresh.flatMap(({ cell, radius, districts: named }, listing) => {
    const far = least.get(cell);
    const comes = far !== undefined && (far === 0 || (radius !== null && radius >= far) || named.some((code) => districts.includes(code)));
    return comes ? [{ reach, listing }] : [];
  });
}

/** Which of the texts of all alerts the new listings have: for each of its words something that it stands for. */
async function saidBy(tx: Tx, fresh: readonly queries.Fresh[]): Promise<queries.Said[]> {
  const texts = (await queries.listTexts(tx)).map((text) => ({ text, words: text.split(' ') }));
  const had = fresh.flatMap(({ tokens }, listing) => tokens.map((token) => ({ token, listing })));
  const having = Map.groupBy(had, ({ token }) => token);
  const withWord = new Map<string, ReadonlySet<number>>();
  const words = [...new Set(texts.flatMap((one) => one.words))];
  for (let at = 0; at < words.length; at += wordsAtOnce) {
    const some = words.slice(at, at + wordsAtOnce);
    // oxlint-disable-next-line no-await-in-loop -- in one transaction, one statement follows the other
    const meanings = await meaningsOfWords(tx, some);
    for (const [index, word] of some.entries())
      withWord.set(word, new Set(tokensOf(meanings[index]).flatMap((token) => (having.get(token) ?? []).map(({ listing }) => listing))));
  }
  return texts.flatMap(({ text, words: own }) => {
    const [first = new Set<number>(), ...others] = own.map((word) => withWord.get(word) ?? new Set<number>());
    return [...first].filter((listing) => others.every((set) => set.has(listing))).map((listing) => ({ text, listing }));
  });
}

const tokensOf = (meaning: Meaning | undefined) => [
  ...(meaning?.forms ?? []),
  ...(meaning?.categoryCodes ?? []).map((code) => `category:${code}`),
  ...(meaning?.subCodes ?? []).map((code) => `sub:${code}`),
];
