import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import type { Env } from '../env.ts';
import { isReservedHost } from '../kit/hosts.ts';
import { type Check, describeError, fail, ok, type Outcome, warn } from './checks.ts';
import type { Dns } from './dns.ts';

/** `ca`: certificates to trust besides the machine's, for tests. */
type Parts = { env: Env; dns: Dns; now: () => Date; patience: number; ca?: string | undefined };

/** Two checks for each public host. */
export function createHostChecks(parts: Parts): Check[] {
  const { env, dns } = parts;
  const { hostname, port, protocol } = new URL(env.appUrl);
  const hosts = [...new Set([hostname, ...env.marketHosts.keys()])].filter((host) => host === hostname || !isReservedHost(host));
  return hosts.flatMap((host): Check[] => {
    const name = `DNS of ${host}`;
    if (isReservedHost(host) && !parts.ca)
      return [
        { name, otherwise: '', run: () => warn(`Only this machine knows ${host}.`, 'Set APP_URL to the public address of the site.') },
      ];
    return [
      { name, otherwise: 'Does this machine reach a name server? Then try again.', run: () => checkDns(dns, host) },
      {
        name: `TLS of ${host}`,
        otherwise: `Open https://${host} from elsewhere, and look at its certificate.`,
        run: () =>
          protocol === 'https:'
            ? checkTls(parts, host, Number(port || 443))
            : warn(`APP_URL is ${env.appUrl}: passwords are sent unencrypted.`, 'Use https.'),
      },
    ];
  });
}

async function checkDns(dns: Dns, host: string): Promise<Outcome> {
  const addresses = await dns.addresses(host);
  if (addresses.length === 0) return fail(`${host} has no address.`, 'Publish an A or AAAA record with the address of the proxy.');
  return ok(addresses.join(', '));
}

const dayMs = 86_400_000;
// Certificates of 90 days are renewed 30 days before their end.
const leastDays = 21;
const answerMs = 5_000;
// Each is asked in turn, within the time limit of the check.
const mostAddresses = 2;

const certificateErrors =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(VERIFY|GET)|ERR_SSL|EPROTO)/;

async function checkTls({ dns, ca, now, patience }: Parts, host: string, port: number): Promise<Outcome> {
  const addresses = (await dns.addresses(host)).slice(0, mostAddresses);
  if (addresses.length === 0) return fail(`${host} has no address.`, 'See its DNS first.');
  let endsAt = Infinity;
  for (const address of addresses) {
    try {
      const answer = await askHealth({ host, address, port, ca, longestMs: patience * answerMs });
      if (!answer.isOurs)
        return fail(
          `${address} answers for ${host}, but it is not this site (${answer.status}).`,
          'Point the DNS record, or the proxy there, to this site.',
        );
      endsAt = Math.min(endsAt, answer.endsAt.getTime());
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (certificateErrors.test(code))
        return fail(
          `${address} has no valid certificate for ${host}: ${describeError(error)}.`,
          'Get a certificate for this name, and see that the proxy renews it.',
        );
      // A machine behind a router may not reach its own public address.
      return warn(
        `Could not be checked: ${address} does not answer on port ${port} (${describeError(error)}).`,
        `Open https://${host} from elsewhere. If it does not answer there either, look at the proxy and the firewall.`,
      );
    }
  }
  const days = Math.floor((endsAt - now().getTime()) / dayMs);
  if (days < leastDays) return warn(`The certificate ends in ${days} days.`, 'See why the proxy did not renew it.');
  return ok(`The certificate is good for ${days} days, and this site answers.`);
}

type Asked = { host: string; address: string; port: number; longestMs: number; ca?: string | undefined };

/** The site's own health call at one address, with the end of the certificate. */
async function askHealth({ host, address, port, ca, longestMs }: Asked) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asking = request(
    {
      host: address,
      port,
      servername: host,
      path: '/api/health',
      headers: { host: port === 443 ? host : `${host}:${port}` },
      agent: false,
      ...(ca && { ca }),
    },
    resolve,
  );
  asking.on('error', reject).setTimeout(longestMs, () => asking.destroy(new Error(`no answer within ${longestMs / 1_000} seconds`)));
  asking.end();
  try {
    const response = await promise;
    const endsAt = new Date((response.socket as TLSSocket).getPeerCertificate().valid_to);
    const body = (await json(response).catch(() => ({}))) as { status?: string; code?: string };
    const { statusCode = 0 } = response;
    // A site that starts or whose database is away says so.
    const isOurs = (statusCode === 200 && body.status === 'ok') || (statusCode === 503 && body.code === 'unavailable');
    return { endsAt, isOurs, status: statusCode };
  } finally {
    asking.destroy();
  }
}
