type Provider = {
  domains: RegExp;
  /** Removes a tag, which does not change the mailbox. */
  tags: RegExp;
  /** Characters that the provider ignores. */
  ignored?: RegExp;
  /** The canonical domain of all these domains; by default each is its own. */
  as?: string;
};

const plus = /\+.*/s;

// From the providers' documentation. Gmail names have no hyphens, so one there only disguises an address. At Microsoft and Apple, the same name at
// another of their domains is usually an alias of the same person.
const providers: readonly Provider[] = [
  { domains: /^(gmail|googlemail)\.com$/, tags: /[+-].*/s, ignored: /\./g, as: 'gmail.com' },
  { domains: /^(outlook|hotmail|live|msn|windowslive|passport)\.([a-z]{2,3}|(co|com)\.[a-z]{2})$/, tags: plus, as: 'outlook.com' },
  { domains: /^(icloud|me|mac)\.com$/, tags: plus, as: 'icloud.com' },
  { domains: /^(proton\.me|protonmail\.(com|ch)|pm\.me)$/, tags: plus, ignored: /[._-]/g, as: 'proton.me' },
  { domains: /^((yahoo|ymail|rocketmail)\.([a-z]{2,3}|(co|com)\.[a-z]{2}))$/, tags: /[+-].*/s },
  { domains: /^(fastmail\.(com|fm|net|org|com\.au|co\.nz)|sent\.com|messagingengine\.com)$/, tags: plus },
];

// At Fastmail all addresses of a user's subdomain share one mailbox.
const subdomain = /^(?<name>[^.]+)\.(?<host>fastmail\.(com|fm|net|org|com\.au|co\.nz))$/;

/** The canonical form of an address: without case, tags and characters that its provider ignores. */
export function normalizeMailbox(email: string): string {
  const [localPart = '', host = ''] = email.trim().toLowerCase().split('@');
  const own = subdomain.exec(host)?.groups;
  const [name, domain] = own ? [own.name ?? '', own.host ?? ''] : [localPart, host];
  const provider = providers.find(({ domains }) => domains.test(domain));
  const plain = name.replace(provider?.tags ?? plus, '');
  return `${provider?.ignored ? plain.replaceAll(provider.ignored, '') : plain}@${provider?.as ?? domain}`;
}
