export const excerptLength = 120;

/** The beginning of a text, never with half a letter at its end, and with half a word only where one word is all there is. */
export function excerpt(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  if (letters.length <= excerptLength) return letters.join('');
  // The letter behind the last that fits: where it is a space, the last word is whole.
  const space = letters.lastIndexOf(' ', excerptLength);
  const whole = letters.slice(0, space > 0 ? space : excerptLength).join('');
  return `${whole.replace(/[\s,;:–-]+$/, '')}…`;
}
