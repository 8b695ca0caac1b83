import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { StoredMail } from './mailbox-store.ts';

const largest = 25 * 1024 * 1024;

/** Accepts all mail on 127.0.0.1 for any recipient and relays none. */
export async function listenForMail(options: {
  port: number;
  onMail: (mail: StoredMail) => void;
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: largest,
    closeTimeout: 1_000,
    onData(stream, session, reply) {
      const takeIn = async () => {
        const raw = await buffer(stream);
        if (stream.sizeExceeded) throw Object.assign(new Error('The email is too large'), { responseCode: 552 });
        options.onMail(storedMail(await PostalMime.parse(raw), session, raw.length));
      };
      takeIn().then(
        () => reply(),
        (error: Error) => reply(error),
      );
    },
  });
  // A sender that disconnects within an email loses it.
  server.on('error', () => {});
  await new Promise<void>((ready, fail) => {
    server.server.once('error', fail);
    server.listen(options.port, '127.0.0.1', ready);
  });
  const address = server.server.address();
  return {
    port: address && typeof address === 'object' ? address.port : options.port,
    close: () => new Promise((closed) => server.close(closed)),
  };
}

function storedMail(mail: Email, session: SMTPServerSession, size: number): StoredMail {
  const received = new Date().toISOString();
  const { mailFrom, rcptTo } = session.envelope;
  return {
    id: randomUUID(),
    messageId: mail.messageId ?? '',
    subject: mail.subject ?? '',
    from: flat(mail.from && [mail.from]),
    to: flat(mail.to),
    cc: flat(mail.cc),
    replyTo: flat(mail.replyTo),
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    html: mail.html ?? '',
    text: mail.text ?? '',
    date: mail.date ?? received,
    time: received,
    read: false,
    envelope: {
      from: { address: mailFrom ? mailFrom.address : '' },
      to: rcptTo.map(({ address }) => ({ address })),
      host: session.hostNameAppearsAs,
      remoteAddress: session.remoteAddress,
    },
    attachments: mail.attachments.map((one) => ({
      fileName: one.filename ?? '',
      contentType: one.mimeType,
      contentId: one.contentId ?? null,
      length: typeof one.content === 'string' ? one.content.length : one.content.byteLength,
    })),
    size,
  };
}

const flat = (addresses: Address[] = []) => addresses.flatMap((one) => one.group ?? [one]).map(({ address, name }) => ({ address, name }));
