import type { FastifyRequest } from 'fastify';

const isSecret = (name: string) => /(?:token|secret)$/i.test(name);
// Positions are searched with two decimals. What a client sends beyond these is refused, and not written down either.
const withoutExactPosition = (value: string) => value.replace(/((?:\.|%2e)\d\d)\d+/gi, '$1');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An address for logs and traces: without the tokens of emailed links, secrets of the payment provider and exact positions. */
export function loggedUrl(url: string): string {
  const [path = '', query] = url.split(/\?(.*)/s);
  if (query === undefined) return url;
  const parameters = query.split('&').map((parameter) => {
    const [name = '', value = ''] = parameter.split(/[=](.*)/s);
    const known = decoded(name);
    if (isSecret(known)) return `${name}=[removed]`;
    if (known.toLowerCase() === 'near') return `${name}=${withoutExactPosition(value)}`;
    // An address within an address, such as where a sign-in leads back to.
    return parameter.replace(/((?:token|secret)(?:%25)*%3d).*/i, '$1[removed]');
  });
  return `${path}?${parameters.join('&')}`;
}

/** What the log says of a request. */
export const loggedRequest = (request: Pick<FastifyRequest, 'method' | 'url' | 'host' | 'ip'>) => ({
  method: request.method,
  url: loggedUrl(request.url),
  host: request.host,
  remoteAddress: request.ip,
});
