// As measured: one or two letters and texts of many words take several times what one common word does.
const shortest = 2;
const shortWeight = 4;
const wordsOfOne = 4;

/** How much work a search is, where 1 is a list without words or one with few of them: what weighs more leaves less room beside it. */
export function weightOf(text: string | undefined): number {
  const words = text?.trim().split(/\s+/).filter(Boolean) ?? [];
  const isShort = words.some((word) => word.length <= shortest);
  return Math.max(1, Math.ceil(words.length / wordsOfOne)) + (isShort ? shortWeight - 1 : 0);
}
