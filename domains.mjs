// Every domain of the product in its order, with the others that it may use: by their services on the server, by their
// components, queries and views on the web. What is not named here is refused, and each uses domains to its left only.
/** @type {Record<string, readonly string[]>} */
export const domains = {
  places: [],
  accounts: [],
  'sign-in': ['accounts'],
  tickets: ['accounts'],
  referrals: ['accounts', 'tickets'],
  payments: ['accounts'],
  plans: ['accounts', 'referrals', 'payments'],
  evidence: ['accounts'],
  listings: ['places', 'evidence'],
  messages: ['places', 'accounts', 'listings'],
  reviews: ['accounts', 'listings', 'messages'],
  saved: ['accounts', 'evidence', 'listings'],
  search: ['places', 'accounts', 'listings', 'messages', 'reviews', 'saved'],
  selling: ['places', 'accounts', 'referrals', 'payments', 'plans', 'evidence', 'listings', 'reviews', 'search'],
  figures: ['places', 'accounts', 'listings', 'messages', 'saved'],
  draws: ['accounts', 'tickets', 'listings'],
  admin: [
    'places',
    'accounts',
    'tickets',
    'referrals',
    'payments',
    'plans',
    'evidence',
    'listings',
    'messages',
    'reviews',
    'selling',
    'draws',
  ],
  site: ['places', 'accounts', 'tickets', 'plans', 'listings', 'messages', 'reviews', 'saved', 'search'],
};

// Made by the build, or packages.
const notOurs = ['build', 'node_modules'];

/** The folders that there are beside the files which put everything together. The rules of imports say what each may use. */
export const layers = {
  'server/src': ['kit', 'domains', 'mcp'],
  web: ['app', 'public'],
  'web/app': ['lib', 'ui', 'domains', 'pages'],
};

/** What of these folders the list of layers does not name. */
export const strangersOf = (parent, folders) =>
  folders
    .filter((folder) => ![...layers[parent], ...notOurs].includes(folder.split('/').at(-1)))
    .map((folder) => `${folder} is no layer of domains.mjs`);

/** What is wrong with the list itself, and which of these folders it does not name. */
export function faultsOf(list, folders) {
  const order = Object.keys(list);
  const faults = [];
  for (const [place, domain] of order.entries()) {
    for (const other of list[domain]) {
      if (!order.slice(0, place).includes(other)) faults.push(`domains.mjs: ${domain} may not use ${other}, which is not to its left`);
    }
  }
  for (const folder of folders) if (!order.includes(folder.split('/').at(-1))) faults.push(`${folder} is no domain of domains.mjs`);
  return faults;
}
