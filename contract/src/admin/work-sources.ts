// No schemas, so that the page for administrators loads without zod.

/** Where work for administrators comes from, in words. */
export const workSources = {
  reports: 'reports',
  objections: 'objections',
  licences: 'licences to look up',
  referrals: 'held referrals',
  disputes: 'disputes',
  payments: 'payments',
  webhooks: 'refused webhooks',
  draws: 'the prize draw',
  jobs: 'failed jobs',
} as const;
export type WorkSource = keyof typeof workSources;
