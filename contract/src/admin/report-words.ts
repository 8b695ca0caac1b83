// Without schemas, because the pages of listings load these texts and must stay small.

export const reportKinds = { listing: 'Listing', review: 'Review', message: 'Message', user: 'Account' } as const;
export type ReportKind = keyof typeof reportKinds;

/** Reasons for a report, as the dialog shows them. */
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

/** Moderators' decisions. The second half undoes the first; `notice` is the text for the person concerned. */
export const decisionKinds = {
  dismiss: { name: 'Leave as it is', notice: 'We have looked at your report and left things as they are.' },
  hide_listing: { name: 'Hide the listing', notice: 'We have hidden your listing.' },
  remove_review: { name: 'Remove the review', notice: 'We have removed your review.' },
  warn: { name: 'Warn', notice: 'We have a warning for you.' },
  suspend_account: { name: 'Suspend the account', notice: 'We have suspended your account.' },
  hide_licence: { name: 'Hide the licence', notice: 'Your listing no longer shows your licence.' },
  reopen: { name: 'Reopened', notice: 'We are looking at your report again.' },
  show_listing: { name: 'Listing shown again', notice: 'Your listing is no longer hidden by this decision.' },
  restore_review: { name: 'Review restored', notice: 'Your review is published again, without photos that were deleted.' },
  withdraw_warning: { name: 'Warning withdrawn', notice: 'We have withdrawn our warning.' },
  show_licence: { name: 'Licence shown again', notice: 'Your listing shows your licence again.' },
  restore_account: { name: 'Account restored', notice: 'Your account is open again.' },
} as const;
export type DecisionKind = keyof typeof decisionKinds;

export const opposites = {
  dismiss: 'reopen',
  hide_listing: 'show_listing',
  remove_review: 'restore_review',
  warn: 'withdraw_warning',
  suspend_account: 'restore_account',
  hide_licence: 'show_licence',
} as const satisfies Partial<Record<DecisionKind, DecisionKind>>;
/** A decision that can be undone and, except for `dismiss`, appealed. */
export type Measure = keyof typeof opposites;
export type Opposite = (typeof opposites)[Measure];

/** The possible decisions for each kind of subject. */
export const measuresFor = {
  listing: ['dismiss', 'hide_listing', 'warn', 'suspend_account'],
  review: ['dismiss', 'remove_review', 'warn', 'suspend_account'],
  message: ['dismiss', 'warn', 'suspend_account'],
  user: ['dismiss', 'warn', 'suspend_account'],
} as const satisfies Record<ReportKind, readonly Measure[]>;
