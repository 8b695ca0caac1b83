import { BlockList, isIP, type Socket } from 'node:net';
import type { Logger } from 'pino';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { errors } from '@handwise/contract/errors';
import { isUnavailable } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { getNetwork } from '../network.ts';
import {
  type MailHeader,
  findHeaderEnd,
  findSender,
  isAutomatic,
  listValues,
  maxHeaderBytes,
  parseHeaders,
  readSubject,
} from './mail-headers.ts';
import type { OwnText } from './mail-own-lines.ts';
import { type MailFile, type MailOutcome, type ParserLimits, MailParser } from './mail-parser.ts';
import type { Resolve, SenderCheck } from './mail-sender-check.ts';

/** A reply by email. */
export type InboundMail = {
  to: string;
  from: string;
  text: string;
  /** Whether an address was taken out of the text. */
  isMasked: boolean;
  files: MailFile[];
  /** How many files came after those. */
  moreFiles: number;
  /** The same for each delivery of one mail. */
  id: string;
};

/** Senders are confirmed with DKIM, SPF and DMARC. `relays` are the servers in front of us, whose `Received` names the sender's server. */
type Authentication = { relays: string[]; resolve?: Resolve };

type Options = {
  host: string;
  port: number;
  logger: Logger;
  /** Null in development: everybody may write as anybody. */
  authentication: Authentication | null;
  /** Whether an address is one of ours: mail for other addresses is rejected before its content is sent. */
  isOurs: (address: string) => Promise<boolean>;
  /** What our emails say to this sender. Throws an AppError for a sender who may not reply to this address, before the content is read. */
  admit: (mail: { to: string; from: string }) => Promise<Omit<OwnText, 'subject'>>;
  /** Processes the mail. The text of an AppError goes back to the sender. */
  take: (mail: InboundMail) => Promise<void>;
  limits?: Partial<{ parser: ParserLimits; clients: number; clientsPerNetwork: number }>;
};

const maxBytes = 15 * 1024 * 1024;
/** Of a mail that is one part and so has no files. */
const maxSinglePartBytes = 2 * 1024 * 1024;
/** Of mails that are being received, together and of one network. */
const maxHeldBytes = 150 * 1024 * 1024;
const maxHeldBytesPerNetwork = 50 * 1024 * 1024;
const maxClients = 200;
const maxClientsPerNetwork = 20;
const idleMs = 60_000;
const maxConnectionMs = 10 * 60_000;

const createRejection = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });
const tooLarge = () => createRejection(552, 'The email is too large. Up to 1 MB of text and 15 MB with pictures are accepted.');
const unverified = 'We could not verify that this email comes from its sender';
const later = 'Please try again later';

/** Receives replies over SMTP. Mail is rejected during the connection, so that the sender's own server reports it. */
export async function openInboundMail(options: Options): Promise<{ port: number; close(): Promise<void> }> {
  const { host, port, logger, authentication, limits = {} } = options;
  const parser = new MailParser({ limits: limits.parser, resolve: authentication?.resolve });
  const relays = createBlockList(authentication?.relays ?? []);
  const clients = new Counter();
  const held = new Counter();

  const respond = async (work: Promise<unknown>, done: (error?: Error) => void) => {
    let smtpError: Error | undefined;
    try {
      await work;
    } catch (error) {
      smtpError = toSmtpError(error, logger);
    }
    done(smtpError);
  };

  /** Who sent it, by the headers alone. Undefined for a mail that nobody wrote as a reply: answering it could loop. */
  async function checkHeaders(headers: readonly MailHeader[], session: SMTPServerSession) {
    const to = session.envelope.rcptTo[0]?.address;
    const envelopeFrom = session.envelope.mailFrom && session.envelope.mailFrom.address;
    if (!to || !envelopeFrom || isAutomatic(headers)) return undefined;
    const from = findSender(headers);
    if (from === undefined) throw createRejection(550, 'This email does not have exactly one sender');
    const own = await options.admit({ to, from });
    const check: SenderCheck | null = authentication && { from, envelopeFrom, client: findClient(session, headers) };
    return { to, from, check, own: { ...own, subject: readSubject(headers) } };
  }

  /** The sender's server. Unknown without a list of relays: their address must not be taken for the sender's. */
  function findClient(
    { remoteAddress: ip, hostNameAppearsAs: helo }: SMTPServerSession,
    headers: readonly MailHeader[],
  ): SenderCheck['client'] {
    if (!authentication?.relays.length) return null;
    if (!relays.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')) return { ip, helo: helo || ip };
    return /^from\s/i.test(listValues(headers, 'received')[0] ?? '') ? 'received' : null;
  }

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const network = getNetwork(session.remoteAddress);
    const parts: Buffer[] = [];
    let size = 0;
    const hold = (chunk: Buffer) => {
      parts.push(chunk);
      size += chunk.length;
      held.add(network, chunk.length);
    };
    // Also read, but not held, after a rejection: the protocol has no way to stop the sender.
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
    try {
      const headers = await readHeaders(chunks, hold, parts);
      const mail = await checkHeaders(headers, session);
      if (!mail) return;
      const isSinglePart = !/^multipart\//i.test(listValues(headers, 'content-type')[0] ?? '');
      const limit = isSinglePart ? maxSinglePartBytes : maxBytes;
      for (let next = await chunks.next(); next.value; next = await chunks.next()) {
        hold(next.value);
        if (size > limit || stream.sizeExceeded) throw tooLarge();
        if (held.total > maxHeldBytes || held.of(network) > maxHeldBytesPerNetwork) throw createRejection(452, later);
      }
      const { to, from, check, own } = mail;
      const raw = Uint8Array.from(Buffer.concat(parts));
      // Per sender, because all mail may come through one server.
      const outcome = await parser.run({ raw, own, check }, from);
      if (outcome.kind !== 'reply') return rejectUnless(outcome);
      await options.take({ to, from, ...outcome });
    } finally {
      held.add(network, -size);
      parts.length = 0;
      for (let next = await chunks.next(); next.value; next = await chunks.next());
    }
  }

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    maxClients: limits.clients ?? maxClients,
    socketTimeout: idleMs,
    closeTimeout: 2_000,
    onConnect: ({ remoteAddress }, done) => {
      const network = getNetwork(remoteAddress);
      clients.add(network, 1);
      if (clients.of(network) > (limits.clientsPerNetwork ?? maxClientsPerNetwork))
        done(createRejection(421, 'Too many connections from your network'));
      else done();
    },
    onClose: ({ remoteAddress }) => clients.add(getNetwork(remoteAddress), -1),
    onRcptTo: ({ address }, session, done) => {
      const checkRecipient = async () => {
        // A reply has one recipient.
        if (session.envelope.rcptTo.length > 0) throw createRejection(452, 'One recipient at a time, please');
        if (!(await options.isOurs(address))) throw createRejection(550, 'There is no such address');
      };
      void respond(checkRecipient(), done);
    },
    onData: (stream, session, done) => void respond(receive(stream, session), done),
  });
  // For example, a sender that disconnects during a mail.
  server.on('error', (error) => logger.info({ err: error }, 'an incoming email failed'));
  server.server.on('connection', (socket: Socket) => {
    const overdue = setTimeout(() => socket.destroy(), maxConnectionMs).unref();
    socket.on('close', () => clearTimeout(overdue));
  });
  await new Promise<void>((ready, fail) => {
    server.server.once('error', fail);
    server.listen(port, host, ready);
  });
  const address = server.server.address();
  return {
    port: address && typeof address === 'object' ? address.port : port,
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** Reads up to the end of the headers; `hold` gets all that was read. */
async function readHeaders(
  chunks: AsyncIterator<Buffer, undefined>,
  hold: (chunk: Buffer) => void,
  parts: readonly Buffer[],
): Promise<MailHeader[]> {
  for (let next = await chunks.next(); next.value; next = await chunks.next()) {
    hold(next.value);
    const start = Buffer.concat(parts);
    const end = findHeaderEnd(start);
    if (end !== undefined && end <= maxHeaderBytes) return parseHeaders(start.subarray(0, end));
    if (start.length > maxHeaderBytes) throw createRejection(552, 'The headers of this email are too large');
  }
  return parseHeaders(Buffer.concat(parts));
}

function rejectUnless(outcome: Exclude<MailOutcome, { kind: 'reply' }>): void {
  switch (outcome.kind) {
    case 'reaction':
      return;
    case 'unverified':
      throw outcome.isTemporary ? createRejection(451, later) : createRejection(550, unverified);
    case 'too_long':
      throw tooLarge();
    case 'unreadable':
      throw createRejection(554, 'This email could not be read. Please reply in plain text.');
    case 'too_costly':
      throw createRejection(554, 'This email takes too much work to read. Please reply in plain text.');
  }
}

/** Counts per client and in all. */
class Counter {
  total = 0;
  readonly #counts = new Map<string, number>();

  of = (client: string) => this.#counts.get(client) ?? 0;

  add(client: string, change: number): void {
    this.total += change;
    const count = this.of(client) + change;
    if (count > 0) this.#counts.set(client, count);
    else this.#counts.delete(client);
  }
}

function createBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function toSmtpError(error: unknown, logger: Logger): Error {
  if (error instanceof Error && 'responseCode' in error) return error;
  const status = error instanceof AppError ? errors[error.code].status : undefined;
  const isDisconnected = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  // The sender's server retries after a temporary error.
  if (isDisconnected || isUnavailable(error) || status === 429 || status === 503) return createRejection(451, later);
  if (error instanceof AppError && errors[error.code].status < 500) return createRejection(550, error.message);
  logger.error({ err: error }, 'a reply by email could not be received');
  return createRejection(451, later);
}
