import { isReplyAddress, type MessageContext, receiveEmailReply } from './domains/messages/messages.service.ts';
import type { Env } from './env.ts';
import { portFault } from './kit/start-fault.ts';

/** Takes answers by mail, where the environment says so. */
export async function openInbound(context: MessageContext, { inboundMail, host }: Env) {
  if (!inboundMail) return { port: 0, close: async () => {} };
  // What reads emails takes 12 MB, and servers that leave the work to others read none.
  const { receiveMail } = await import('./kit/mail/inbound-mail.ts');
  return receiveMail({
    host,
    port: inboundMail.port,
    logger: context.logger,
    authenticatedBy: inboundMail.authenticatedBy,
    isOurs: (address) => isReplyAddress(context, address),
    take: (mail) => receiveEmailReply(context, mail),
  }).catch((error: unknown) => {
    throw portFault('INBOUND_MAIL_PORT', inboundMail.port, error);
  });
}
