import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export type MetricsAccess = {
  /** What whoever reads the figures must know. Null: nobody from elsewhere may. */
  token: string | null;
  /** Whether visitors come over a proxy: then the address of a connection says nothing about who asks. */
  isProxied: boolean;
};

const hash = (text: string) => createHash('sha256').update(text).digest();
const forwardedBy = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether somebody may read the figures: by the token, or, where there is none, on the machine itself. Behind a proxy on the same machine everybody comes from
 * there, so nothing that a proxy has touched, or that names another host, is taken for that.
 */
export function mayReadMetrics(request: IncomingMessage, { token, isProxied }: MetricsAccess): boolean {
  const { headers, socket } = request;
  if (token !== null) {
    const given = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return given !== undefined && timingSafeEqual(hash(given), hash(token));
  }
  if (isProxied || forwardedBy.some((name) => name in headers)) return false;
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? '');
  return isHere && /^(::1$|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '');
}
