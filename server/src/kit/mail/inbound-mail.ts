import { buffer } from 'node:stream/consumers';
import { errors } from '@handwise/contract/errors';
import type { Logger } from 'pino';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { isUnavailable } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { answerOf } from './mail-answer.ts';
import { isAuthenticated } from './mail-authentication.ts';

/** An answer by mail, as far as it can be read from the mail itself. */
type InboundMail = { to: string; from: string; messageId: string; text: string };

type Options = {
  host: string;
  port: number;
  logger: Logger;
  /** The server in front of us, whose word in `Authentication-Results` is taken and demanded; null where there is none. */
  authenticatedBy: string | null;
  /** Whether an address is one of ours: mail for another one is refused before it is sent. */
  isOurs: (address: string) => Promise<boolean>;
  /** Throws an AppError where the mail is refused: its text goes back to the sender. */
  take: (mail: InboundMail) => Promise<void>;
};

const largest = 10 * 1024 * 1024;
const maxClients = 50;
const idleMs = 60_000;

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode });

/** Takes answers by mail over SMTP. What is refused is refused while the sender waits, so that their own server tells them. */
export async function receiveMail(options: Options): Promise<{ port: number; close(): Promise<void> }> {
  const { host, port, logger } = options;
  const answer = async (work: Promise<unknown>, done: (error?: Error) => void) => {
    let refused: Error | undefined;
    try {
      await work;
    } catch (error) {
      refused = asSmtp(error, logger);
    }
    done(refused);
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: largest,
    maxClients,
    socketTimeout: idleMs,
    closeTimeout: 2_000,
    onRcptTo: ({ address }, session, done) => {
      const refuse = async () => {
        // One answer goes to one address.
        if (session.envelope.rcptTo.length > 0) throw refusal(452, 'One recipient at a time, please');
        if (!(await options.isOurs(address))) throw refusal(550, 'There is no such address');
      };
      void answer(refuse(), done);
    },
    onData: (stream, { envelope }, done) => {
      const takeIn = async () => {
        const raw = await buffer(stream);
        if (stream.sizeExceeded) throw refusal(552, 'The email is too large');
        const mail = await PostalMime.parse(raw);
        const [to] = envelope.rcptTo;
        // Nobody wrote these, and whoever answered them would never come to an end.
        if (!to || !(envelope.mailFrom && envelope.mailFrom.address) || isAutomatic(mail)) return;
        const from = mail.from && 'address' in mail.from ? (mail.from.address ?? '') : '';
        if (options.authenticatedBy !== null && !isAuthenticated(mail, options.authenticatedBy)) {
          throw refusal(550, 'We could not verify that this email comes from its sender');
        }
        const text = answerOf(mail.text ?? '');
        if (text === '') throw refusal(554, 'This email has no text of its own. Please reply in plain text above the quoted email');
        await options.take({ to: to.address, from, messageId: mail.messageId ?? '', text });
      };
      void answer(takeIn(), done);
    },
  });
  // A sender that hangs up in the middle of a mail is its own loss.
  server.on('error', (error) => logger.info({ err: error }, 'a mail came to nothing'));
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

function asSmtp(error: unknown, logger: Logger): Error {
  if (error instanceof Error && 'responseCode' in error) return error;
  // What may go well later is tried again by the sender's server.
  if (isUnavailable(error) || (error instanceof AppError && errors[error.code].status === 429))
    return refusal(451, 'Please try again later');
  if (error instanceof AppError && errors[error.code].status < 500) return refusal(550, error.message);
  logger.error({ err: error }, 'an answer by mail could not be taken');
  return refusal(451, 'Please try again later');
}

const valuesOf = (mail: Email, name: string) => mail.headers.filter(({ key }) => key === name).map(({ value }) => value.toLowerCase());

/** Out-of-office notes, bounces, lists, and whatever else was not written by a person just now. */
function isAutomatic(mail: Email): boolean {
  const submitted = valuesOf(mail, 'auto-submitted').some((value) => !value.startsWith('no'));
  const bulk = valuesOf(mail, 'precedence').some((value) => /^(?:bulk|junk|list|auto_reply)/.test(value));
  const named = ['x-autoreply', 'x-autorespond', 'list-id', 'list-unsubscribe'].some((name) => valuesOf(mail, name).length > 0);
  return submitted || bulk || named;
}
