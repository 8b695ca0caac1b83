import { authenticate } from 'mailauth';
import { getDomain } from 'tldts';

/** What the server in front of us, or the connection itself, says about the sender's server. */
export type SenderCheck = {
  /** The address in From, which is to be confirmed. */
  from: string;
  /** The address of the envelope. */
  envelopeFrom: string;
  /** The sender's server, or that the topmost `Received` names it; null if it is unknown, and then SPF is not asked. */
  client: { ip: string; helo: string } | 'received' | null;
};

export type Resolve = (domain: string, type: string) => Promise<string[] | string[][]>;

type Authentication = Awaited<ReturnType<typeof authenticate>>;

const minKeyBits = 1024;

/**
 * Confirms a sender by DMARC or, for a domain that publishes no policy, by the DKIM signature or SPF record that DMARC would accept. `unknown` if DNS
 * did not answer.
 */
export async function checkSender(raw: Buffer, check: SenderCheck, resolve: Resolve): Promise<'pass' | 'fail' | 'unknown'> {
  const result = await authenticate(raw, {
    resolver: resolve,
    sender: check.envelopeFrom,
    ...(check.client === 'received' ? { trustReceived: true } : check.client),
    mta: 'localhost',
    minBitLength: minKeyBits,
    rejectRsaSha1: true,
    disableArc: true,
    disableBimi: true,
  });
  const domain = check.from.split('@').at(-1) ?? '';
  const dmarc = result.dmarc || undefined;
  // A signature of a part of the body says nothing about what follows it.
  const signatures = result.dkim.results.filter(({ status }) => status.result === 'pass' && !status.underSized);
  const isSigned = signatures.some(({ status }) => Boolean(status.aligned));
  const isSent = check.client !== null && isSpfPass(result, domain, dmarc?.alignment?.spf?.strict ?? false);
  if (dmarc && dmarc.status.header?.from !== domain) return 'fail';
  if (isSigned || isSent) return 'pass';
  const outcomes = [
    dmarc?.status.result,
    ...result.dkim.results.map(({ status }) => status.result),
    ...(check.client && result.spf ? [result.spf.status.result] : []),
  ];
  return outcomes.includes('temperror') ? 'unknown' : 'fail';
}

function isSpfPass({ spf }: Authentication, domain: string, isStrict: boolean): boolean {
  if (!spf || spf.status.result !== 'pass') return false;
  return isStrict ? spf.domain === domain : getDomain(spf.domain) === getDomain(domain) && getDomain(domain) !== null;
}
