/** The site that a passkey is for, as browsers name it: a host, and the origin that its answers come from. */
export type RelyingParty = { id: string; origin: string };

/** Of our own hosts the one that was asked, else the main one: an address that we do not know gets no passkeys of its own. */
export function relyingPartyOf(host: string | undefined, sites: { appUrl: string; hosts: Iterable<string> }): RelyingParty {
  const main = new URL(sites.appUrl);
  const asked = URL.parse(`${main.protocol}//${host ?? ''}`)?.hostname ?? '';
  const own = [...sites.hosts].includes(asked) ? asked : main.hostname;
  return { id: own, origin: `${main.protocol}//${own}${main.port && `:${main.port}`}` };
}
