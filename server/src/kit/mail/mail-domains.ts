import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import providers from 'email-providers/all.json' with { type: 'json' };
import { getDomain } from 'tldts';

const disposable = disposableEmailBlocklistSet();

/** Providers that the package lacks: large ones, and internet providers of New Zealand and Australia. */
const otherProviders = `
  fastmail.com tuta.com tuta.io tutanota.com duck.com mozmail.com passmail.net simplelogin.com privaterelay.appleid.com
  posteo.net slingshot.co.nz orcon.net.nz vodafone.co.nz vodafone.net.nz clear.net.nz paradise.net.nz ihug.co.nz
  snap.net.nz inspire.net.nz kinect.co.nz maxnet.co.nz actrix.co.nz actrix.gen.nz callplus.net.nz woosh.co.nz
  farmside.co.nz xnet.co.nz wise.net.nz slingshot.nz bigpond.net adam.com.au aussiebroadband.com.au internode.com.au
  aapt.net.au
`
  .trim()
  .split(/\s+/);
const publicProviders = new Set([...providers, ...otherProviders]);
// The package lists it, although it is no provider.
publicProviders.delete('example.com');

const getMailDomain = (email: string) => email.toLowerCase().split('@')[1] ?? '';

/** Whether a domain or a parent domain is in a list. */
function isListed(domain: string, list: ReadonlySet<string>): boolean {
  const labels = domain.split('.');
  return labels.some((_, index) => index < labels.length - 1 && list.has(labels.slice(index).join('.')));
}

/** Whether an address belongs to a provider of temporary mailboxes, or a subdomain of one. */
export const isDisposable = (email: string): boolean => isListed(getMailDomain(email), disposable);

/** The registered domain of an address outside of public providers, whose owner can create any number of addresses. */
export function getPrivateDomain(email: string): string | undefined {
  const domain = getMailDomain(email);
  if (isListed(domain, publicProviders)) return undefined;
  return getDomain(domain) ?? domain;
}
