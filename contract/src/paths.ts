/**
 * Every address of the site, in one place: `web/app/routes.ts` puts the pages there, and links, redirects and mails lead there.
 * A function takes what the address varies by; `routes.ts` gives it the names of the parameters.
 */
export const paths = {
  landing: '/',
  /** The search of members; to visitors the front page. */
  browse: '/home',
  /** The search of everybody. */
  search: '/search',
  /** Describe a job once and ask up to three businesses for a quote. */
  getQuotes: '/get-quotes',
  pros: '/pros',
  services: '/services',
  servicesIn: (category: string, region?: string, town?: string) =>
    ['/services', category, region, region && town].filter(Boolean).join('/'),
  listing: (id: string) => `/listing/${id}`,
  contact: '/contact',
  howToStop: '/how-to-stop',
  reviewsPolicy: '/reviews-policy',
  howWeCheck: '/how-we-check',
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
  goodbye: '/auth/goodbye',
  endMails: '/mails/end',
  endAlert: '/alerts/end',
  signupSuccess: '/auth/signup-success',
  registerSuccess: '/auth/register-success',

  addListing: '/addList',
  addListingAlias: '/addListing',
  paymentSuccess: '/payment-success',
  /** Where a bank's own page leads back to. */
  paymentReturn: '/payment-return',
  ownListings: '/mylistings/mylistings',
  ownListingsIndex: '/mylistings',
  savedListings: '/mylistings/saved',
  compareListings: '/mylistings/compare',
  editListing: (id: string) => `/editListing/${id}`,
  updatePlan: (id: string) => `/updatePlan/${id}`,
  reactivateListing: (id: string) => `/reactivateListing/${id}`,
  listingFigures: (id: string) => `/mylistings/figures/${id}`,

  /** What moderators decided about oneself; and one decision, by the link of its mail. */
  decisions: '/account/decisions',
  linkedDecision: '/decision',

  messages: '/messages',
  conversation: (id: string) => `/messages/${id}`,

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
  adminReports: '/admin/reports',
  adminAppeals: '/admin/appeals',
  adminReferrals: '/admin/referrals',
  adminUsers: '/admin/users',
  adminUser: (id: string) => `/admin/users/${id}`,
  adminListings: '/admin/listings',
  adminReviews: '/admin/reviews',
  adminPayments: '/admin/payments',
  adminPayment: (id: string) => `/admin/payments/${id}`,
  adminDisputes: '/admin/payments/disputes',
  adminAudit: '/admin/audit',
  drawManagement: '/admin/draw-management',
} as const;
