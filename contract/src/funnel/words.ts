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

/** What happened to first messages that had no answer after a day. */
export const ladderMetrics = {
  waited: { name: 'Waited a day', hint: 'First messages without an answer within 24 hours' },
  after_first: { name: 'After reminder 1', hint: 'First messages that were answered after the first reminder' },
  after_second: { name: 'After reminder 2', hint: 'Those that were answered after the second' },
  passed_on: { name: 'Others asked', hint: 'Those that the customer sent to other businesses' },
  answered_elsewhere: { name: 'Others answered', hint: 'Of these, those that another business answered' },
} as const;
export type LadderMetric = keyof typeof ladderMetrics;

export const funnelTables = {
  week: 'By week',
  place: 'By place',
  trade: 'By trade',
  unanswered: 'Unanswered requests by town',
  ladder_place: 'What reminders change, by place',
  ladder_trade: 'What reminders change, by trade',
} as const;
export type FunnelTable = keyof typeof funnelTables;

/** The weeks that the tables cover, including the current one. */
export const funnelWeeks = 13;
export const unansweredDays = 30;
/** Smaller numbers are not shown, because they could reveal what one person did. */
export const leastShown = 5;
