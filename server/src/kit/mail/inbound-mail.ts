import { buffer } from 'node:stream/consumers';
import { errors } from '@handwise/contract/errors';
import type { Logger } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { isUnavailable } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { extractReply } from './mail-reply.ts';
import { isAuthenticated } from './mail-authentication.ts';

/** A reply by email. */
type InboundMail = { to: string; from: string; messageId: string; text: string };

type Options = {
  host: string;
  port: number;
  logger: Logger;
  /** The server in front of us, whose `Authentication-Results` header is required and trusted; null if there is none. */
  authenticatedBy: string | null;
  /** Whether an address is one of ours: mail for other addresses is rejected before its content is sent. */
  isOurs: (address: string) => Promise<boolean>;
  /** Processes the mail. The text of an AppError goes back to the sender. */
  take: (mail: InboundMail) => Promise<void>;
};

const maxBytes = 10 * 1024 * 1024;
const maxClients = 50;
const idleMs = 60_000;

const createRejection = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

/** Receives replies over SMTP. Mail is rejected during the connection, so that the sender's own server reports it. */
export async function openInboundMail(options: Options): Promise<{ port: number; close(): Promise<void> }> {
  const { host, port, logger } = options;
  const respond = async (work: Promise<unknown>, done: (error?: Error) => void) => {
    let smtpError: Error | undefined;
    try {
      await work;
    } catch (error) {
      smtpError = toSmtpError(error, logger);
    }
    done(smtpError);
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    maxClients,
    socketTimeout: idleMs,
    closeTimeout: 2_000,
    onRcptTo: ({ address }, session, done) => {
      const checkRecipient = async () => {
        // A reply has one recipient.
        if (session.envelope.rcptTo.length > 0) throw createRejection(452, 'One recipient at a time, please');
        if (!(await options.isOurs(address))) throw createRejection(550, 'There is no such address');
      };
      void respond(checkRecipient(), done);
    },
    onData: (stream, { envelope }, done) => {
      const receive = async () => {
        const raw = await buffer(stream);
        if (stream.sizeExceeded) throw createRejection(552, 'The email is too large');
        const mail = await PostalMime.parse(raw);
        const [to] = envelope.rcptTo;
        // Bounces and automatic replies are ignored, because answering them could loop.
        if (!to || !(envelope.mailFrom && envelope.mailFrom.address) || isAutomatic(mail)) return;
        const from = mail.from && 'address' in mail.from ? (mail.from.address ?? '') : '';
        if (options.authenticatedBy !== null && !isAuthenticated(mail, options.authenticatedBy)) {
          throw createRejection(550, 'We could not verify that this email comes from its sender');
        }
        const text = extractReply(mail.text ?? '');
        if (text === '') throw createRejection(554, 'This email has no text of its own. Please reply in plain text above the quoted email');
        await options.take({ to: to.address, from, messageId: mail.messageId ?? '', text });
      };
      void respond(receive(), done);
    },
  });
  // For example, a sender that disconnects during a mail.
  server.on('error', (error) => logger.info({ err: error }, 'an incoming email failed'));
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

function toSmtpError(error: unknown, logger: Logger): Error {
  if (error instanceof Error && 'responseCode' in error) return error;
  // The sender's server retries after a temporary error.
  if (isUnavailable(error) || (error instanceof AppError && errors[error.code].status === 429))
    return createRejection(451, 'Please try again later');
  if (error instanceof AppError && errors[error.code].status < 500) return createRejection(550, error.message);
  logger.error({ err: error }, 'a reply by email could not be received');
  return createRejection(451, 'Please try again later');
}

const listHeaderValues = (mail: Email, name: string) =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value.toLowerCase());

/** Out-of-office notes, bounces, mailing lists and other automatic mail. */
function isAutomatic(mail: Email): boolean {
  const submitted = listHeaderValues(mail, 'auto-submitted').some((value) => !value.startsWith('no'));
  const bulk = listHeaderValues(mail, 'precedence').some((value) => /^(?:bulk|junk|list|auto_reply)/.test(value));
  const named = ['x-autoreply', 'x-autorespond', 'list-id', 'list-unsubscribe'].some((name) => listHeaderValues(mail, name).length > 0);
  return submitted || bulk || named;
}
