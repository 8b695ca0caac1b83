import { createHash } from 'node:crypto';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import PostalMime, { type Attachment } from 'postal-mime';
import { isPdf, maxPdfBytes } from '@handwise/contract/pdf';
import { getFormat, maxSharedPhotoBytes } from '@handwise/contract/pictures';
import { setSite } from '@handwise/contract/site/site';
import { toDisplayName } from '../files/display-name.ts';
import type { DnsAnswer, MailFile, MailOutcome, ThreadData, ThreadJob, ThreadMessage } from './mail-parser.ts';
import { extractReply } from './mail-reply.ts';

// The thread of mail-parser.ts for one mail: what strangers send is decoded here, where it can neither hold up the process nor fill its memory.

/** Of the text, plain and HTML together, without the files. */
const maxTextBytes = 1024 * 1024;
const maxTextLines = 10_000;
const maxFiles = 10;
const maxNestedParts = 50;

/** Parts that belong to the mail and not to what its writer sends: signatures, and other forms of the text. */
const ignoredTypes = new Set([
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'application/pgp-signature',
  'application/pgp-keys',
  'text/x-amp-html',
  'text/enriched',
  'text/rtf',
  'message/delivery-status',
]);
const reactionType = 'text/vnd.google.email-reaction+json';

// A port of a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const post = (message: ThreadMessage) => parentPort?.postMessage(message);

const waiting = new Map<number, (answer: DnsAnswer) => void>();
parentPort?.on('message', (answer: DnsAnswer) => waiting.get(answer.id)?.(answer));

/** Asks the process, which bounds how many questions one mail may cause. */
async function resolve(domain: string, type: string): Promise<string[]> {
  const id = waiting.size;
  const answer = await new Promise<DnsAnswer>((received) => {
    waiting.set(id, received);
    post({ kind: 'dns', id, domain, type });
  });
  if ('records' in answer) return answer.records;
  throw Object.assign(new Error(`${type} ${domain}: ${answer.code}`), { code: answer.code });
}

const toBytes = (content: Attachment['content']) => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content));

function toFile({ filename, content }: Attachment, index: number): MailFile {
  const bytes = toBytes(content);
  const name = filename ? toDisplayName(filename) : `file ${index + 1}`;
  const kind = getFormat(bytes) ? 'picture' : isPdf(bytes) ? 'pdf' : null;
  if (kind === null) return { name, problem: 'other_kind' };
  const maxBytes = kind === 'pdf' ? maxPdfBytes : maxSharedPhotoBytes;
  return bytes.length > maxBytes ? { name, problem: 'too_large', maxBytes } : { name, kind, content: bytes };
}

/** Marks that the plain part has in place of pictures, as in "[image: crack.jpg]". */
function removePictureMarks(text: string, attachments: readonly Attachment[]): string {
  if (attachments.length === 0) return text;
  const names = new Set(attachments.slice(0, maxFiles).flatMap(({ filename }) => (filename ? [filename] : [])));
  return text
    .split('\n')
    .map((line) => {
      const plain = line.trim();
      const [, name] = /^<([^<>]{1,120})>$/.exec(plain) ?? [];
      if (name !== undefined && names.has(name)) return '';
      return line.replaceAll(/\[(?:image|cid|inline image)(?:[:\s][^[\]]{0,200})?\]/gi, '');
    })
    .join('\n');
}

/** Undefined for HTML that is nested too deeply. */
function readable<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

async function read({ raw, own, check }: ThreadJob): Promise<MailOutcome> {
  if (check) {
    // Half a second to load, so only where it is used.
    const { checkSender } = await import('./mail-sender-check.ts');
    const verdict = await checkSender(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), check, resolve);
    if (verdict !== 'pass') return { kind: 'unverified', isTemporary: verdict === 'unknown' };
  }
  // A mail that is nested too deeply, for example.
  const mail = await PostalMime.parse(raw, { maxNestingDepth: maxNestedParts, maxRfc822NestingDepth: 0 }).catch(() => undefined);
  if (!mail) return { kind: 'unreadable' };
  const { text = '', html = '', attachments } = mail;
  if (Buffer.byteLength(text) + Buffer.byteLength(html) > maxTextBytes) return { kind: 'too_long' };
  if (text.split('\n', maxTextLines + 1).length > maxTextLines) return { kind: 'too_long' };
  if (attachments.some(({ mimeType }) => mimeType === reactionType)) return { kind: 'reaction' };

  const reply = readable(() => extractReply({ text: removePictureMarks(text, attachments), html }, own));
  if (!reply) return { kind: 'unreadable' };
  if (reply.isReaction) return { kind: 'reaction' };
  const inText = new Set(reply.images.map((id) => id.replaceAll(/[<>]/g, '')));
  // A picture in the HTML of a quote or signature is not one that the writer sends.
  const sent = attachments.filter(({ mimeType, disposition, related, contentId }) => {
    if (ignoredTypes.has(mimeType)) return false;
    const id = (contentId ?? '').replaceAll(/[<>]/g, '');
    const isShown = related === true && disposition !== 'attachment' && id !== '' && html.includes(`cid:${id}`);
    return !isShown || inText.has(id);
  });
  const hash = createHash('sha256').update(JSON.stringify([mail.messageId || (mail.date ?? ''), reply.text]));
  for (const { content } of sent.slice(0, maxFiles + 1)) hash.update(toBytes(content));
  return {
    kind: 'reply',
    text: reply.text,
    isMasked: reply.isMasked,
    files: sent.slice(0, maxFiles).map(toFile),
    moreFiles: Math.max(0, sent.length - maxFiles),
    id: hash.digest('hex'),
  };
}

if (!isMainThread) {
  const { job, site } = workerData as ThreadData;
  setSite(site);
  void read(job).then(
    (outcome) => post({ kind: 'done', outcome }),
    (error: unknown) => post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
}
