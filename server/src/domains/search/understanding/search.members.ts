import type { CountryCode } from '@handwise/contract/markets';
import type { ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { asCard, listByNumbers } from '../../listings/listings.service.ts';
import type { Matches } from '../index/search.index.ts';
import { envelopeOf, noticeOf, pageFrom } from '../search.cards.ts';
import type { SearchParts } from '../search.parts.ts';
import { filterOf } from '../search.rules.ts';
import { attemptsOf } from './search.attempts.ts';
import { understandingOf } from './search.views.ts';
import { attemptThatFinds } from './search.widening.ts';

/**
 * The search of the documented call: by words, filters or number. Words that no listing has are read as everybody's are, and the answer then says
 * how: where a visitor finds something, a member does too.
 */
export async function searchAsMember(opened: SearchParts, search: ListingSearch, market: CountryCode | null): Promise<MemberPage> {
  const parts = { ...opened, index: opened.index.withDeadline() };
  const { title = '', listingNumber, sort } = search;
  const chosen = { ...filterOf(search, market), ...(listingNumber !== undefined && { listingNumber }) };
  const order = sort === 'best' ? 'rating' : (sort ?? 'recommended');
  const page = pageFrom(search);
  const show = async (matches: Matches): Promise<MemberPage> => ({
    listings: (await listByNumbers(parts.db, matches.numbers)).map(asCard),
    ...envelopeOf(matches, search),
    ...(matches.total === null && { notice: noticeOf(matches) }),
  });
  const words = listingNumber === undefined ? title : '';
  const plain = await parts.index.match({ filter: chosen, words }, order, page);
  if (plain.total !== 0 || !words) return show(plain);
  const attempts = await attemptsOf(parts, words, { chosen, market, raw: false, km: undefined });
  const first = await parts.index.match(attempts[0], order, page);
  const attempt = await attemptThatFinds(parts, attempts, { found: first.total, isPlaceTyped: false });
  const found = attempt === attempts[0] ? first : await parts.index.match(attempt, order, page);
  if (found.total === 0) return show(plain);
  return { ...(await show(found)), understood: understandingOf(attempt, chosen, { q: words }, { corrected: null, nearMe: false }) };
}
