import { type Line, htmlToLines, textToLines } from './mail-lines.ts';
import { OwnLines, type OwnText, invisible, toKey } from './mail-own-lines.ts';

// Finds what the writer of a reply wrote. Every mail program introduces the quoted mail in its own way and language, so the quote is recognised by what
// is ours in it: the sentences, links and addresses of our emails. Each line is matched by linear patterns.

export type Reply = {
  /** What the writer wrote; empty if there is nothing new. */
  text: string;
  /** Content ids of the pictures in it. */
  images: string[];
  /** Whether an address was taken out. */
  isMasked: boolean;
  /** Whether it is a reaction such as "Liked", which mail programs send as a mail. */
  isReaction: boolean;
};

/** What stands in for a private address. */
const maskedAddress = '[email address]';
const control = /[^\P{Cc}\t]/gu;
const bracketedAddress = /[<([](?:mailto:)?[^\s<>[\]()]{1,64}@[^\s<>[\]()]{1,255}[>)\]]/;
const date = /\p{Nd}{4}|\p{Nd}{1,2}[./-]\p{Nd}{1,2}[./-]\p{Nd}{2}/u;
const time = /\p{Nd}{1,2}[:.h]\p{Nd}{2}|\p{Nd}{1,2} ?(?:[ap]\.?m|時|时|点|點|시)/u;
const address = /[^\s<>[\]():;,"]{1,64}@[^\s<>[\]():;,"]{1,255}/;

// In several languages, for mail programs that quote without any address or date.
const knownIntroductions =
  /^(?:on .{5,300} wrote|le .{5,300} a [eé]crit|el .{5,300} escribi[oó]|am .{5,300} schrieb.{0,100}|op .{5,300} schreef.{0,100}|.{1,200} wrote on .{5,100}) ?:$/;

/** "On Friday, Handwise <hello@…> wrote:" in any language. `isQuoteNext` if marked lines follow. */
function isIntroduction(text: string, own: OwnLines, isQuoteNext: boolean): boolean {
  const key = toKey(text);
  if (key.length > 400) return false;
  if (knownIntroductions.test(key)) return true;
  const [hasDate, hasTime] = [date.test(key), time.test(key)];
  const isNamed = bracketedAddress.test(key) || own.mentionsUs(key);
  if (!/[:\u05c3]$/.test(key)) return isQuoteNext && bracketedAddress.test(key) && hasDate && hasTime;
  return isQuoteNext ? isNamed || (hasDate && (hasTime || address.test(key))) : isNamed && hasDate && hasTime;
}

/** Where an introduction begins that ends above a line. It may be broken into lines. */
function findIntroduction(lines: readonly Line[], at: number, own: OwnLines, isQuoteNext: boolean): number | undefined {
  let last = at - 1;
  while (last >= 0 && at - last < 4 && lines[last]?.text.trim() === '') last -= 1;
  const textFrom = (first: number) =>
    lines
      .slice(first, last + 1)
      .map(({ text }) => text.trim())
      .join(' ');
  for (let first = last; first >= 0 && last - first < 3 && lines[first]?.text.trim() !== ''; first -= 1) {
    if (!isIntroduction(textFrom(first), own, isQuoteNext)) continue;
    // The date may be on the line before the address.
    const [current, before] = [toKey(textFrom(first)), toKey(lines[first - 1]?.text ?? '')];
    const isSplit = !date.test(current) && date.test(before) && time.test(before);
    return isSplit ? first - 1 : first;
  }
  return undefined;
}

const labelled = /^[>*"\s]{0,6}([^:：\p{Nd}]{1,30}?)[*\s]{0,3}[:：]\*{0,2}\s{0,9}(.{0,400})/u;
const knownLabels = new Set(
  'from sent date to subject cc von gesendet datum an betreff de envoye date a objet cc enviado para asunto assunto da inviato oggetto van verzonden aan onderwerp fra sendt til emne fran skickat till amne od data do temat от отправлено дата кому тема 差出人 送信日時 宛先 件名 发件人 发送时间 收件人 主题 寄件者 日期 收件者 主旨 보낸사람 보낸날짜 받는사람 제목'.split(
    ' ',
  ),
);

const readLabel = (line: Line) => {
  const [, label = '', value = ''] = labelled.exec(line.text.slice(0, 500).normalize('NFKC').replaceAll(invisible, '')) ?? [];
  const plain = label
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[*\s]/g, '');
  return plain === '' ? undefined : { label: plain, value: toKey(value) };
};

/** The block "From, Sent, To, Subject" above a quoted mail, in any language; undefined if none begins at the line. */
function isHeaderBlock(lines: readonly Line[], at: number, own: OwnLines): boolean {
  const found: { label: string; value: string }[] = [];
  let continued = 0;
  for (let index = at; index < lines.length && found.length < 6; index += 1) {
    const line = lines[index];
    if (!line || line.text.trim() === '') break;
    const label = readLabel(line);
    if (label) found.push(label);
    // A long value goes on in the next line.
    else if (++continued > 2 || found.length === 0) break;
  }
  if (found.length < 3) return false;
  if (found.filter(({ label }) => knownLabels.has(label)).length >= 3) return true;
  const values = found.map(({ value }) => value);
  const namesSender = values.slice(0, 2).some((value) => address.test(value) || own.mentionsUs(value));
  if (!namesSender || !values.some((value) => date.test(value))) return false;
  return (
    values.some((value) => own.isReplysSubject(value) || own.mentionsUs(value)) || values.filter((value) => address.test(value)).length > 1
  );
}

const divider = /^\s{0,9}(?:[_=\u2014-]{3,}|-{2,} {0,2}[^\s-][^-]{2,60}-{2,})\s{0,9}$/;
const knownDivider = /^-{2,} ?(?:original message|forwarded message|reply above this line) ?-{2,}$/;
const signatureMark = /^-- $/;
const device =
  /\b(?:iphone|ipad|android|samsung|galaxy|huawei|xiaomi|outlook|yahoo|proton ?mail|gmail|blackberry|windows|mobile|mobiltelefon|handy)\b|의|から送信/;
const sentFrom =
  /^(?:sent (?:from|via|with|using)|get outlook|von mein|gesendet (?:mit|von)|diese nachricht wurde von mein|envoye|enviad[oa]|inviato|verzonden|verstuurd|skickat|sendt fra|sendt med|lahetetty|wyslan|odeslano|отправлено|hamtat?|obtenir|telecharger|hol(?:en)? sie|scarica|descarg|發自|发自|來自|来自)|から送信$|에서 보냄$/;

const isSentFrom = (text: string) => {
  const key = toKey(text)
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC');
  return key.length <= 120 && sentFrom.test(key) && device.test(key);
};

/** The lines of quotes. */
function findQuoted(lines: readonly Line[], own: OwnLines): Set<number> {
  const quoted = new Set<number>();
  const add = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) quoted.add(at);
  };

  // Marked lines, in runs that may have blank lines in them.
  for (let at = 0; at < lines.length; at += 1) {
    if (lines[at]?.quoted === 'no') continue;
    let end = at + 1;
    for (let next = end; next < lines.length && (lines[next]?.quoted !== 'no' || lines[next]?.text.trim() === ''); next += 1) {
      if (lines[next]?.quoted !== 'no') end = next + 1;
    }
    const run = lines.slice(at, end);
    const introduced = findIntroduction(lines, at, own, true);
    const first = run.findIndex(({ text }) => text.trim() !== '');
    const isOpened = [1, 2, 3].some((count) =>
      isIntroduction(
        run
          .slice(first, first + count)
          .map(({ text }) => text.trim())
          .join(' '),
        own,
        true,
      ),
    );
    const isQuote =
      introduced !== undefined ||
      isOpened ||
      run.some((line) => line.quoted === 'yes' || own.isOfConversation(line)) ||
      (first !== -1 && isHeaderBlock(run, first, own));
    if (isQuote) add(introduced ?? at, end);
    at = end - 1;
  }

  // A quote without marks, which reaches to the end of our email if that can be found.
  const isPlain = (at: number) => lines[at]?.quoted === 'no' && !quoted.has(at);
  let isIntroduced = false;
  const start = lines.findIndex((line, at) => {
    if (!isPlain(at) || line.text.trim() === '') return false;
    isIntroduced =
      isHeaderBlock(lines, at, own) || knownDivider.test(toKey(line.text)) || findIntroduction(lines, at + 1, own, false) !== undefined;
    return isIntroduced || own.isOurs(line);
  });
  if (start !== -1) {
    const findLast = (is: (line: Line) => boolean) => lines.findLastIndex((line, at) => at >= start && isPlain(at) && is(line));
    let end = findLast((line) => own.isEnd(line));
    // What follows lines of ours that nothing introduces may be the writer's.
    if (end === -1) end = isIntroduced ? lines.length - 1 : findLast((line) => own.isOurs(line));
    let from = findIntroduction(lines, start + 1, own, false) ?? findIntroduction(lines, start, own, false) ?? start;
    // Dividers, our name and the like above it.
    while (from > 0 && isPlain(from - 1) && isLead(lines[from - 1], own)) from -= 1;
    // Somebody else's mail that the writer passes on is a part of the answer.
    const isOfUs = lines.some(
      (line, at) => at >= from && at <= end && isPlain(at) && (own.isOfConversation(line) || own.mentionsUs(toKey(line.text))),
    );
    if (isOfUs) add(from, end + 1);
    for (const at of listAnswers(lines, start, end, own)) quoted.delete(at);
  }
  return quoted;
}

/** The lines of header blocks, which may be those of mails within mails. */
function findHeaderBlocks(lines: readonly Line[], start: number, end: number, own: OwnLines): Set<number> {
  const found = new Set<number>();
  for (let at = start; at <= end; at += 1) {
    if (lines[at]?.quoted !== 'no' || !isHeaderBlock(lines, at, own)) continue;
    for (; at <= end && lines[at]?.text.trim() !== ''; at += 1) found.add(at);
  }
  return found;
}

/**
 * Lines within an unmarked quote that are not certainly of it, which are the writer's answers: below a message, a button, or the end of our email. Above
 * the first line of ours there is only the mail program's introduction.
 */
function listAnswers(lines: readonly Line[], start: number, end: number, own: OwnLines): number[] {
  const headers = findHeaderBlocks(lines, start, end, own);
  const first = lines.findIndex((line, at) => at >= start && at <= end && !headers.has(at) && own.isOfConversation(line));
  if (first === -1) return [];
  return lines.flatMap((line, at) => {
    if (at <= first || at > end || headers.has(at) || line.quoted !== 'no' || line.text.trim() === '') return [];
    const isOurs = own.isOfConversation(line) || own.isFragment(line) || own.isPieceOfLink(line);
    const isBetween = divider.test(line.text) || signatureMark.test(`${line.text.trim()} `) || isIntroduction(line.text, own, false);
    return isOurs || isBetween ? [] : [at];
  });
}

const isLead = (line: Line | undefined, own: OwnLines) =>
  line !== undefined && (line.text.trim() === '' || divider.test(line.text) || own.namesUs(toKey(line.text)));

/** The last line before the signature that begins with `-- `, or a line such as "Sent from my iPhone". */
function removeSignature(lines: readonly Line[]): Line[] {
  const mark = lines.findIndex(({ raw }) => signatureMark.test(raw));
  const kept = mark === -1 ? [...lines] : lines.slice(0, mark);
  while (kept.length > 0 && (kept.at(-1)?.raw.trim() === '' || isSentFrom(kept.at(-1)?.raw ?? ''))) {
    if ((kept.at(-1)?.images.length ?? 0) > 0) break;
    kept.pop();
  }
  return kept;
}

/** Parts of a reply, between quotes. */
function splitParts(lines: readonly Line[], quoted: ReadonlySet<number>): Line[][] {
  const parts: Line[][] = [[]];
  for (const [at, line] of lines.entries()) {
    if (!quoted.has(at)) parts.at(-1)?.push(line);
    else if (parts.at(-1)?.length !== 0) parts.push([]);
  }
  return parts;
}

const tapback =
  /^(?:liked|loved|disliked|laughed at|emphasi[sz]ed|questioned|reacted .{1,30}? (?:to|with)|removed an? .{1,30}? from)(?: an?)? "/;
const reactionNotice = /\breacted (?:via gmail|to your (?:message|email|mail))|emojireactionemail/;

function isReaction(text: string, own: OwnLines): boolean {
  const key = toKey(text);
  if (key.length > 2_500) return false;
  if (tapback.test(key) && /["…]$/.test(key)) return true;
  if (reactionNotice.test(key) && key.length < 300) return true;
  // The same in another language: a word or two, and our text in quotation marks.
  const [, before = '', inner = ''] = /^([^"\p{Nd}]{1,40})"([^"]{4,})"[ .…]{0,3}$/u.exec(key) ?? [];
  return inner !== '' && before.trim().split(' ').length <= 4 && own.isMessage(inner);
}

const escapePattern = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`);

function extract(lines: readonly Line[], own: OwnText): Reply {
  const ownLines = new OwnLines(own);
  const parts = splitParts(lines, findQuoted(lines, ownLines)).map(removeSignature);
  const kept = parts.map((part) => part.filter((line) => !ownLines.isOurs(line)));
  let text = kept
    .map((part) =>
      part
        .map(({ raw }) => raw.replaceAll(invisible, '').replaceAll('\u00a0', ' ').replaceAll(control, '').trimEnd())
        .join('\n')
        .trim(),
    )
    .filter((part) => part !== '')
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n');
  let isMasked = false;
  for (const one of [...own.privateAddresses, ...own.ourAddresses]) {
    const pattern = new RegExp(`(?:\\s?<mailto:|(?<![\\w.+-]))${escapePattern(one)}>?`, 'giu');
    text = text.replace(pattern, (found) => {
      isMasked = true;
      return /^\s?<mailto:/.test(found) ? '' : maskedAddress + (found.endsWith('>') ? '>' : '');
    });
  }
  return { text, isMasked, images: kept.flat().flatMap(({ images }) => images), isReaction: text !== '' && isReaction(text, ownLines) };
}

/** The new text of a reply, from its plain part or, if that has nothing, from its HTML. */
export function extractReply({ text, html }: { text: string; html: string }, own: OwnText): Reply {
  const plain = extract(textToLines(text), own);
  if (html === '') return plain;
  const rich = extract(htmlToLines(html), own);
  return plain.text === '' ? rich : { ...plain, images: rich.images };
}
