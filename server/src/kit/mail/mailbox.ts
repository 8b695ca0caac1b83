type Provider = {
  domains: RegExp;
  /** What begins a tag: it and what follows it make no other mailbox. */
  tags: RegExp;
  /** Signs that the provider does not read. */
  ignored?: RegExp;
  /** The domain that stands for all of them; each its own where it is missing. */
  as?: string;
};

const plus = /\+.*$/;

// What providers say of themselves. Nobody has a hyphen in a name at Gmail, so there it only makes an address look like another one. At
// Microsoft and Apple a name at another of their domains is as a rule the same person's alias.
const providers: readonly Provider[] = [
  { domains: /^(gmail|googlemail)\.com$/, tags: /[+-].*$/, ignored: /\./g, as: 'gmail.com' },
  { domains: /^(outlook|hotmail|live|msn|windowslive|passport)\.([a-z]{2,3}|(co|com)\.[a-z]{2})$/, tags: plus, as: 'outlook.com' },
  { domains: /^(icloud|me|mac)\.com$/, tags: plus, as: 'icloud.com' },
  { domains: /^(proton\.me|protonmail\.(com|ch)|pm\.me)$/, tags: plus, ignored: /[._-]/g, as: 'proton.me' },
  { domains: /^((yahoo|ymail|rocketmail)\.([a-z]{2,3}|(co|com)\.[a-z]{2}))$/, tags: /[+-].*$/ },
  { domains: /^(fastmail\.(com|fm|net|org|com\.au|co\.nz)|sent\.com|messagingengine\.com)$/, tags: plus },
];

// At Fastmail whatever stands before the own subdomain comes to its mailbox.
const subdomain = /^(?<name>[^.]+)\.(?<host>fastmail\.(com|fm|net|org|com\.au|co\.nz))$/;

/** The mailbox behind an address, however it is spelt: case, tags, and what its provider does not read make no other one. */
export function mailboxOf(email: string): string {
  const [given = '', host = ''] = email.trim().toLowerCase().split('@');
  const own = subdomain.exec(host)?.groups;
  const [name, domain] = own ? [own.name ?? '', own.host ?? ''] : [given, host];
  const provider = providers.find(({ domains }) => domains.test(domain));
  const plain = name.replace(provider?.tags ?? plus, '');
  return `${provider?.ignored ? plain.replaceAll(provider.ignored, '') : plain}@${provider?.as ?? domain}`;
}
