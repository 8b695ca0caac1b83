/** The pages for administrators, apart from `paths`, which every page loads. */
export const adminPaths = {
  reports: '/admin/reports',
  appeals: '/admin/appeals',
  referrals: '/admin/referrals',
  import: '/admin/import',
  funnel: '/admin/funnel',
  users: '/admin/users',
  user: (id: string) => `/admin/users/${id}`,
  listings: '/admin/listings',
  reviews: '/admin/reviews',
  payments: '/admin/payments',
  payment: (id: string) => `/admin/payments/${id}`,
  disputes: '/admin/payments/disputes',
  settings: '/admin/settings',
  health: '/admin/health',
  audit: '/admin/audit',
  drawManagement: '/admin/draw-management',
} as const;
