import { lookup } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that a push service is never in: private, local, link-local (cloud metadata), carrier, multicast, reserved, and tunnels to them. */
const refused = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  refused.addSubnet(network, bits);
}
// Everything outside of the public unicast space 2000::/3, and within it documentation, Teredo and 6to4.
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  refused.addSubnet(network, bits, 'ipv6');
}

export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return !refused.check(address);
  return version === 6 && publicV6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
};

export class PrivateAddressError extends Error {}

/** Resolves a name for a connection, which then goes to an address that was checked, so that a second answer of the DNS changes nothing. */
const lookupPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0);
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return done(new PrivateAddressError(`${host} has a private address`), '', 0);
    const [first] = addresses;
    if (options.all) return done(null, addresses);
    return done(null, first?.address ?? '', first?.family ?? 0);
  });
};

const publicName = /^[a-z\d-]+(\.[a-z\d-]+)+$/;
const localName = /\.(localhost|local|internal|home\.arpa)$/;

/** The endpoint if notifications may be sent to it: HTTPS on its usual port, or the sandbox's own service. The name is not resolved. */
export function parseEndpoint(endpoint: string, sandboxOrigin: string | null): URL | undefined {
  const url = URL.parse(endpoint);
  if (!url || url.username || url.password) return undefined;
  if (url.origin === sandboxOrigin) return url;
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  const isName = isIP(literal) === 0;
  const isRefused =
    url.protocol !== 'https:' ||
    url.port !== '' ||
    (isName ? !publicName.test(literal) || localName.test(literal) : !isPublicAddress(literal));
  return isRefused ? undefined : url;
}

/** Whether the name has a private address. One that can't be resolved now is checked again when sending. */
export const hasPrivateAddress = (url: URL): Promise<boolean> =>
  new Promise((resolve) => {
    if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) return resolve(false);
    return lookupPublic(url.hostname, { all: true }, (error) => resolve(error instanceof PrivateAddressError));
  });

const timeoutMs = 3_000;

export class EndpointTimeoutError extends Error {}

/** Posts to an endpoint and returns the status. Redirects are not followed. Throws `PrivateAddressError`, `EndpointTimeoutError`. */
export function postToEndpoint(url: URL, headers: Record<string, string | number>, body: Buffer, isSandbox: boolean): Promise<number> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', headers, signal, agent: false, ...(!isSandbox && { lookup: lookupPublic }) },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.once('error', (error) =>
      reject(signal.aborted ? new EndpointTimeoutError(`${url.host} did not answer within ${timeoutMs / 1000} s`) : error),
    );
    sent.end(body);
  });
}
