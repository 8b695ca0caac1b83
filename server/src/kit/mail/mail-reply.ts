// Removes the quoted mail and signature from a reply. Each line is matched once by patterns without catastrophic backtracking: the packages that were
// tried took seconds for a mail of line breaks.

const maxLength = 20_000;

/** Introductions of a quote by mail programs, on one line or broken in two. */
const introductions = [
  /^On .{5,300} wrote:$/,
  /^Le .{5,300} a écrit ?:$/,
  /^El .{5,300} escribió:$/,
  /^Am .{5,300} schrieb.{0,100}:$/,
  /^Op .{5,300} schreef.{0,100}:$/,
  /^.{1,200} wrote on .{5,100}:$/,
];
const divider = /^(?:-{2,} ?(?:Original Message|Forwarded message|Reply above this line) ?-{2,}|_{10,}|-{10,})$/i;
const headerLine = /^\*?(?:From|Sent|Date|To|Subject|Cc):\*? /;
const signature = /^(?:--|Sent from my .{1,40}|Get Outlook for .{1,40}|Sent via .{1,40})$/i;

const isIntroduction = (line: string) => line.length < 400 && introductions.some((pattern) => pattern.test(line));

function isReplyEnd(lines: readonly string[], at: number): boolean {
  const [line = '', next = '', third = ''] = lines.slice(at, at + 3);
  if (divider.test(line) || signature.test(line)) return true;
  if (isIntroduction(line) || isIntroduction(`${line} ${next}`)) return true;
  return [line, next, third].every((one) => headerLine.test(one));
}

export function extractReply(text: string): string {
  const lines = text
    .slice(0, maxLength)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());
  const end = lines.findIndex((_, at) => isReplyEnd(lines, at));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .filter((line) => !line.startsWith('>'))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
