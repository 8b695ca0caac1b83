const maxDisplayName = 80;

/** A file's name for display: no folders, no control characters, at most 80 UTF-16 units, of which a long one keeps its ending. */
export function toDisplayName(filename: string): string {
  const name = filename
    .replace(/^.*[\\/]/s, '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .trim()
    .toWellFormed();
  const ending = /\.\w{1,8}$/.exec(name)?.[0] ?? '';
  // Cut through a surrogate pair, the half of it is dropped.
  const stem = name.slice(0, maxDisplayName - ending.length).replace(/[\ud800-\udbff]$/, '');
  return (name.length > maxDisplayName ? stem + ending : name) || 'file';
}
