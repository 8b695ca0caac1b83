import { tradeWords } from '@handwise/contract/search/trades';
import { typingErrors } from '../../../kit/typing-errors.ts';

const byLength = Map.groupBy(
  tradeWords.filter((word) => word.length >= 5),
  (word) => word.length,
);

// A name is soon one letter from a trade, as Tyler is from tiler: fewer errors are forgiven than in a search by words, and none in its first letter.
const forgiven = (word: string) => (word.length < 5 ? 0 : word.length < 8 ? 1 : 2);

/** The word of the table of trades that a mistyped word is nearest to; undefined where none is near. */
export function nearestTradeWord(typed: string): string | undefined {
  let most = forgiven(typed);
  let nearest: string | undefined;
  for (let length = typed.length - most; most > 0 && length <= typed.length + forgiven(typed); length += 1) {
    for (const word of byLength.get(length) ?? []) {
      if (word[0] !== typed[0]) continue;
      const errors = typingErrors(typed, word);
      // Between equals the longer one: a letter is left out sooner than typed wrong.
      if (errors > most || (errors === most && nearest?.length === length)) continue;
      most = errors;
      nearest = word;
    }
  }
  return nearest;
}
