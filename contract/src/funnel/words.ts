// The funnel in words and limits, without schemas, because the page shows them.

/** From a first visit to a plan that ends, in this order. */
export const funnelMetrics = {
  visits: { name: 'Visits', hint: 'Visitors of listings, each counted once a day and listing' },
  sign_ups: { name: 'Sign-ups', hint: 'New accounts; they have no place or trade yet' },
  published: { name: 'Published', hint: 'New listings' },
  contacted: { name: 'Contacted', hint: 'Conversations that customers began' },
  answered: { name: 'Answered', hint: 'Those that the business answered within a day' },
  renewed: { name: 'Renewed', hint: 'Plans that ended, where the seller had another one within a day' },
  left: { name: 'Left', hint: 'Plans that ended, where the seller had none' },
} as const;
export type FunnelMetric = keyof typeof funnelMetrics;

export const funnelTables = { week: 'By week', place: 'By place', trade: 'By trade', unanswered: 'Unanswered requests by town' } as const;
export type FunnelTable = keyof typeof funnelTables;

/** The weeks that the tables cover, including the current one. */
export const funnelWeeks = 13;
export const unansweredDays = 30;
/** Smaller numbers are not shown, because they could reveal what one person did. */
export const leastShown = 5;
