// Without schemas: the pages of listings need these words and must stay small.

export const reportKinds = { listing: 'Listing', review: 'Review', message: 'Message', user: 'Account' } as const;
export type ReportKind = keyof typeof reportKinds;

/** Why somebody reports a thing, as the dialog offers it. */
export const reportReasons = {
  misleading: 'It is misleading, or a scam',
  not_genuine: 'It does not come from a real customer or business',
  offensive: 'It is abusive or offensive',
  private_details: 'It shows private details of a person',
  spam: 'It is advertising or spam',
  illegal: 'It breaks the law',
  other: 'Something else',
} as const;
export type ReportReason = keyof typeof reportReasons;

export const maxReportText = 1_000;
export const maxDecisionReason = 1_000;

/** What moderators decide. Each has its opposite, which undoes it and is a decision too. */
export const decisionKinds = {
  dismiss: { name: 'Leave as it is', told: 'We have looked at your report and left things as they are.' },
  hide_listing: { name: 'Hide the listing', told: 'We have hidden your listing.' },
  remove_review: { name: 'Remove the review', told: 'We have removed your review.' },
  warn: { name: 'Warn', told: 'We have a warning for you.' },
  suspend_account: { name: 'Suspend the account', told: 'We have suspended your account.' },
  reopen: { name: 'Reopened', told: 'We are looking at your report again.' },
  show_listing: { name: 'Listing shown again', told: 'Your listing is no longer hidden by this decision.' },
  restore_review: { name: 'Review restored', told: 'Your review is published again.' },
  withdraw_warning: { name: 'Warning withdrawn', told: 'We have withdrawn our warning.' },
  restore_account: { name: 'Account restored', told: 'Your account is open again.' },
} as const;
export type DecisionKind = keyof typeof decisionKinds;

export const opposites = {
  dismiss: 'reopen',
  hide_listing: 'show_listing',
  remove_review: 'restore_review',
  warn: 'withdraw_warning',
  suspend_account: 'restore_account',
} as const satisfies Partial<Record<DecisionKind, DecisionKind>>;
/** A decision that can be undone, and objected to unless it leaves things as they are. */
export type Measure = keyof typeof opposites;
export type Opposite = (typeof opposites)[Measure];

/** What can be decided about each kind of thing. */
export const measuresFor = {
  listing: ['dismiss', 'hide_listing', 'warn', 'suspend_account'],
  review: ['dismiss', 'remove_review', 'warn', 'suspend_account'],
  message: ['dismiss', 'warn', 'suspend_account'],
  user: ['dismiss', 'warn', 'suspend_account'],
} as const satisfies Record<ReportKind, readonly Measure[]>;
