const maxDisplayName = 80;

/**
 * A file's name for display: no folders, no control characters, at most 80 UTF-16 units, of which a long one keeps its ending. `ending` is added where it
 * is missing, because whoever saves the file opens it by its name.
 */
export function toDisplayName(filename: string, ending = ''): string {
  const clean = filename
    .replace(/^.*[\\/]/s, '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
    .toWellFormed();
  const name = clean.toLowerCase().endsWith(ending) ? clean : clean + ending;
  const last = /\.\w{1,8}$/.exec(name)?.[0] ?? '';
  // Drops half a surrogate pair at the cut.
  const stem = name.slice(0, maxDisplayName - last.length).replace(/[\ud800-\udbff]$/, '');
  return (name.length > maxDisplayName ? stem + last : name) || 'file';
}
