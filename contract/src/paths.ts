/**
 * Every path of the site, for routes, links, redirects and emails. Paths with parameters are functions; `routes.ts` calls them with
 * parameter names.
 */
export const paths = {
  landing: '/',
  /** The members' search; visitors are sent to the landing page. */
  browse: '/home',
  /** The public search. */
  search: '/search',
  /** Describe a job once and ask up to three businesses for a quote. */
  getQuotes: '/get-quotes',
  pros: '/pros',
  services: '/services',
  servicesIn: (category: string, region?: string, town?: string) =>
    ['/services', category, region, region && town].filter(Boolean).join('/'),
  costs: '/costs',
  costsOf: (category: string, subCategory: string) => `/costs/${category}/${subCategory}`,
  listing: (id: string) => `/listing/${id}`,
  /** An image of a listing's rating for the business's own site. */
  badge: (id: string) => `/badge/${id}.svg`,
  contact: '/contact',
  help: '/help',
  howToStop: '/how-to-stop',
  reviewsPolicy: '/reviews-policy',
  howWeCheck: '/how-we-check',
  complaints: '/complaints',
  standards: '/standards',
  draws: '/draws',
  /** One month's draw: "2026-11". */
  draw: (period: string) => `/draws/${period}`,
  drawRules: '/draw-rules',
  privacy: '/privacy',
  terms: '/terms',

  login: '/auth/login',
  register: '/auth/register',
  verifyEmail: '/auth/verify',
  forgotPassword: '/auth/forgot-password',
  resetPassword: '/auth/reset',
  /** Where Google and Apple send the browser back to, with what the page needs in the fragment, and the emailed link that connects them. */
  providerReturn: '/auth/return',
  goodbye: '/auth/goodbye',
  endMails: '/mails/end',
  endAlert: '/alerts/end',
  invitation: '/invitation',
  endInvitations: '/invitation/end',
  signupSuccess: '/auth/signup-success',
  registerSuccess: '/auth/register-success',

  addListing: '/addList',
  addListingAlias: '/addListing',
  paymentSuccess: '/payment-success',
  /** The return URL of a bank's confirmation page. */
  paymentReturn: '/payment-return',
  ownListings: '/mylistings/mylistings',
  ownListingsIndex: '/mylistings',
  savedListings: '/mylistings/saved',
  compareListings: '/mylistings/compare',
  editListing: (id: string) => `/editListing/${id}`,
  updatePlan: (id: string) => `/updatePlan/${id}`,
  reactivateListing: (id: string) => `/reactivateListing/${id}`,
  listingAnalytics: (id: string) => `/mylistings/figures/${id}`,

  /** Moderators' decisions about the user, and one decision by its emailed link. */
  decisions: '/account/decisions',
  linkedDecision: '/decision',

  messages: '/messages',
  conversation: (id: string) => `/messages/${id}`,
  writeQuote: (conversationId: string) => `/messages/${conversationId}/quote`,

  quoteRequests: '/quote-requests',

  account: '/account',
  security: '/account/security',
  alerts: '/account/alerts',
  cards: '/account/payment',
  addCard: '/account/billing',
  receipts: '/account/receipts',
  receipt: (id: string) => `/account/receipts/${id}`,

  referral: '/referral',
  /** Redirects to `referral`. */
  oldReferral: '/referral-dashboard',
  claimPrize: '/referral/claim-prize',
  admin: '/admin',
} as const;
