import { tradeWords } from '@handwise/contract/search/trades';
import { computeEditDistance } from '../../../kit/edit-distance.ts';
import { isCommonWord } from '../common-words.ts';

const tradeWordsByLength = Map.groupBy(
  tradeWords.filter((word) => word.length >= 5),
  (word) => word.length,
);

// Names are often one letter from a trade, as "Tyler" is from "tiler": fewer errors are allowed than in a search by words, and none in the first
// letter.
const getMaxTypos = (word: string) => (word.length < 5 ? 0 : word.length < 8 ? 1 : 2);

/** The word of the trades' table that is nearest to a mistyped word; undefined for ordinary English. */
export function findNearestTradeWord(typed: string): string | undefined {
  let fewest = isCommonWord(typed) ? 0 : getMaxTypos(typed);
  let nearest: string | undefined;
  for (let length = typed.length - fewest; fewest > 0 && length <= typed.length + getMaxTypos(typed); length += 1) {
    for (const word of tradeWordsByLength.get(length) ?? []) {
      if (word[0] !== typed[0]) continue;
      const errors = computeEditDistance(typed, word);
      // Prefer the longer of equals: omitted letters are more common than wrong ones.
      if (errors > fewest || (errors === fewest && nearest?.length === length)) continue;
      fewest = errors;
      nearest = word;
    }
  }
  return nearest;
}
