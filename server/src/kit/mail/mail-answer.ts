// What somebody wrote in answer to a mail, without what their program put below it. Each line is looked at once by patterns that
// cannot run away: of the packages for this, those that were tried needed seconds for a mail of nothing but line breaks.

const longest = 20_000;

/** How programs introduce what they quote. On one line, or broken in two. */
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

function endsHere(lines: readonly string[], at: number): boolean {
  const [line = '', next = '', third = ''] = lines.slice(at, at + 3);
  if (divider.test(line) || signature.test(line)) return true;
  if (isIntroduction(line) || isIntroduction(`${line} ${next}`)) return true;
  return [line, next, third].every((one) => headerLine.test(one));
}

export function answerOf(text: string): string {
  const lines = text
    .slice(0, longest)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());
  const end = lines.findIndex((_, at) => endsHere(lines, at));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .filter((line) => !line.startsWith('>'))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
