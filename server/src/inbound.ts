import { isReplyAddress, type MessageContext, receiveEmailReply } from './domains/messages/messages.service.ts';
import type { Env } from './env.ts';
import { toPortError } from './kit/startup-error.ts';

/** Receives replies by email if the environment enables it. */
export async function openInbound(context: MessageContext, { inboundMail, host }: Env) {
  if (!inboundMail) return { port: 0, close: async () => {} };
  // Loaded on demand, because it takes 12 MB and web-only servers do not need it.
  const { openInboundMail } = await import('./kit/mail/inbound-mail.ts');
  return openInboundMail({
    host,
    port: inboundMail.port,
    logger: context.logger,
    authenticatedBy: inboundMail.authenticatedBy,
    isOurs: (address) => isReplyAddress(context, address),
    take: (mail) => receiveEmailReply(context, mail),
  }).catch((error: unknown) => {
    throw toPortError('INBOUND_MAIL_PORT', inboundMail.port, error);
  });
}
