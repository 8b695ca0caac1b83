/**
 * A text that somebody else wrote as a part of a subject or another header: one line that changes no direction, of at most so many
 * characters as people count them.
 */
export function headerText(text: string, maxLength: number): string {
  const plain = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Z}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  const characters = Array.from(new Intl.Segmenter('en').segment(plain), ({ segment }) => segment);
  return characters.length <= maxLength
    ? plain
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * How a mail greets its reader. Whoever registers with somebody else's address chooses the name in that person's mailbox: one that
 * could be read as an address, a number to call or a whole sentence is left out.
 */
export const greetingOf = (name: string) =>
  name.length <= 40 && /^\p{L}([\p{L}\p{M} '’-]|\.(?= |$))*$/u.test(name) ? `Kia ora ${name}` : 'Kia ora';
