import type { Context } from '../../../kit/context.ts';
import type { Tx } from '../../../kit/database/database.ts';
import { reachOf } from '../near/search.near.ts';
import { meaningsOfWords } from '../words/search.words.ts';
import { type Meaning, isUnknown } from '../words/search.words.rules.ts';
import { deleteForGood } from './search.alerts.queries.ts';
import * as queries from './search.alerts.matching.queries.ts';

/** So many new listings at once are held against all alerts. */
const atOnce = 2_000;
/** So many words at once are looked up. */
const wordsAtOnce = 500;

const day = 24 * 60 * 60 * 1000;
/** A new listing that is not on the site is new for so long. */
const newForMs = 7 * day;
const toldForMs = 60 * day;
const undoneForMs = day;

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
  const cells = [...new Set(fresh.map(({ cell }) => cell))];
  const reached = (await queries.listReaches(tx)).flatMap((reach) => {
    const { legs, districts } = reachOf(reach, cells);
    return legs.map((leg) => ({ reach, leg, districts }));
  });
  const found = await queries.matchAll(tx, fresh, await meantBy(tx, fresh), reached);
  return { taken: fresh.length, found };
}

/** What the words of all alerts stand for, as far as the new listings have it. A text with a word that stands for nothing finds nothing. */
async function meantBy(tx: Tx, fresh: readonly queries.Fresh[]): Promise<queries.Meant[]> {
  const texts = (await queries.listTexts(tx)).map((text) => ({ text, words: text.split(' ') }));
  const had = new Set(fresh.flatMap(({ tokens }) => tokens));
  const known = new Map<string, readonly string[] | null>();
  const words = [...new Set(texts.flatMap((one) => one.words))];
  for (let at = 0; at < words.length; at += wordsAtOnce) {
    const some = words.slice(at, at + wordsAtOnce);
    // oxlint-disable-next-line no-await-in-loop -- in one transaction, one statement follows the other
    const meanings = await meaningsOfWords(tx, some);
    for (const [index, word] of some.entries()) known.set(word, tokensOf(meanings[index], had));
  }
  return texts.flatMap(({ text, words: own }) =>
    own.some((word) => known.get(word) === null)
      ? []
      : own.flatMap((word, index) => (known.get(word) ?? []).map((token) => ({ text, word: index, words: own.length, token }))),
  );
}

function tokensOf(meaning: Meaning | undefined, had: ReadonlySet<string>): readonly string[] | null {
  if (!meaning || isUnknown(meaning)) return null;
  const codes = [...meaning.categoryCodes.map((code) => `category:${code}`), ...meaning.subCodes.map((code) => `sub:${code}`)];
  return [...meaning.forms, ...codes].filter((token) => had.has(token));
}
