// Every domain of the product in its order, with the others that it may use: by their services on the server, by their
// components, queries and views on the web. What is not named here is refused, and each uses domains to its left only.
/** @type {Record<string, readonly string[]>} */
export const domains = {
  places: [],
  accounts: [],
  'sign-in': ['accounts'],
  push: ['accounts'],
  tickets: ['accounts'],
  referrals: ['accounts', 'tickets'],
  payments: ['accounts'],
  plans: ['accounts', 'referrals', 'payments'],
  registers: ['accounts'],
  facts: ['registers'],
  listings: ['places', 'accounts', 'registers', 'facts'],
  costs: ['listings'],
  messages: ['places', 'accounts', 'push', 'listings'],
  quotes: ['places', 'accounts', 'push', 'listings', 'messages'],
  visits: ['places', 'accounts', 'push', 'listings', 'messages'],
  reviews: ['accounts', 'listings', 'messages', 'quotes'],
  saved: ['accounts', 'listings'],
  search: ['places', 'listings', 'messages', 'reviews', 'saved'],
  unanswered: ['places', 'accounts', 'push', 'listings', 'messages', 'search'],
  alerts: ['places', 'accounts', 'listings', 'search'],
  selling: ['places', 'accounts', 'push', 'referrals', 'payments', 'plans', 'registers', 'facts', 'listings', 'reviews', 'search'],
  invitations: ['places', 'accounts', 'referrals', 'listings'],
  analytics: ['places', 'accounts', 'listings', 'messages', 'quotes', 'saved'],
  funnel: ['accounts', 'plans', 'listings', 'messages', 'analytics'],
  draws: ['accounts', 'push', 'tickets', 'listings'],
  admin: [
    'places',
    'accounts',
    'tickets',
    'referrals',
    'payments',
    'plans',
    'registers',
    'listings',
    'messages',
    'reviews',
    'selling',
    'draws',
  ],
  site: [
    'places',
    'accounts',
    'tickets',
    'plans',
    'registers',
    'listings',
    'costs',
    'messages',
    'reviews',
    'saved',
    'search',
    'unanswered',
    'admin',
  ],
};

// Made by the build, or packages.
const notOurs = ['build', 'node_modules'];

/** The folders beside the files which put everything together. The rules of imports say what each may use. */
export const layers = {
  'server/src': ['kit', 'domains', 'composition', 'http', 'mcp', 'doctor', 'startup'],
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

/**
 * The tables of the kit and of each domain. By convention only their owner has statements about them; `tools/domains.test.mjs` sees that each has one.
 * @type {Record<string, readonly string[]>}
 */
export const tables = {
  kit: [
    'attempts',
    'change_marks',
    'changes',
    'ended_mails',
    'files',
    'own_keys',
    'presence',
    'signing_keys',
    'user_event_counters',
    'user_events',
  ],
  places: ['localities', 'localities_source'],
  accounts: ['account_links', 'address_changes', 'business_addresses', 'devices', 'restore_tokens', 'sessions', 'users'],
  'sign-in': ['authenticators', 'authorizations', 'identities', 'passkeys', 'recovery_codes', 'sign_in_challenges', 'waiting_identities'],
  push: ['push_subscriptions'],
  tickets: [
    'draw_entries',
    'draw_periods',
    'given_entries',
    'sealed_entrants',
    'ticket_log_heads',
    'ticket_log_leaves',
    'ticket_log_nodes',
  ],
  referrals: [
    'free_first_months',
    'free_month_claims',
    'free_month_grants',
    'referral_findings',
    'referral_notifications',
    'referral_origins',
    'referrals',
    'reward_entries',
  ],
  payments: [
    'adjustment_notes',
    'adjustment_numbers',
    'cards',
    'disputes',
    'found_payments',
    'fraud_warnings',
    'payment_customers',
    'payment_site',
    'payments',
    'provider_events',
    'provider_refusals',
    'receipts',
    'refunds',
  ],
  plans: ['plans', 'renewals', 'subscriptions'],
  registers: ['licence_checks', 'licence_requirements', 'register_checks'],
  listings: ['categories', 'districts', 'listings', 'sub_categories'],
  costs: ['asking_prices'],
  messages: ['blocks', 'conversations', 'messages', 'participants', 'quote_receivers', 'quote_requests'],
  quotes: ['quote_lines', 'quotes'],
  visits: ['visit_feeds', 'visit_times', 'visits'],
  reviews: ['category_ratings', 'review_invitations', 'review_versions', 'reviews'],
  saved: ['saved_listings'],
  search: ['category_means', 'search_vocabulary'],
  unanswered: ['answer_reminders', 'passed_on_messages'],
  alerts: ['alert_finds', 'alerts', 'new_listings'],
  selling: ['availability_reminders', 'expiry_notices', 'licence_notices'],
  funnel: ['funnel_cells'],
  invitations: ['invitation_import_rows', 'invitation_imports', 'invitation_refusals', 'invitations'],
  analytics: ['listing_views', 'listing_visitors', 'view_salts', 'weekly_figures'],
  draws: ['draw_actions', 'draw_files', 'draw_picks', 'draws', 'prize_claims'],
  admin: ['appeals', 'audit_head', 'audit_log', 'decisions', 'looks', 'reports'],
  site: ['contact_messages', 'site_documents', 'site_settings'],
};
