// Without schemas, to keep the script of the listing page small.

/** The texts of stubs. `withdrawn` is the author's own removal, all others are moderators'. */
export const removalReasons = {
  not_genuine: 'We could not find that it came from a customer.',
  not_about_service: 'It was not about the work of this business.',
  offensive: 'It was abusive or offensive.',
  private_details: 'It showed private details of a person.',
  rewarded: 'Somebody paid or rewarded its author for it.',
  legal: 'The law required us to take it down.',
  withdrawn: 'Its author withdrew it.',
} as const;
export type RemovalReason = keyof typeof removalReasons;

/** The photos of a review removed for these reasons are deleted at once: nobody may see them even while an objection is possible. */
export const photosGoAtOnce: readonly RemovalReason[] = ['withdrawn', 'private_details', 'legal'];

/** Short forms for the ledger. */
export const removalNames: Record<RemovalReason, string> = {
  not_genuine: 'not from a customer',
  not_about_service: 'not about the work',
  offensive: 'abusive or offensive',
  private_details: 'with private details',
  rewarded: 'paid or rewarded',
  legal: 'by law',
  withdrawn: 'withdrawn by the author',
};

/** Per account. */
export const maxReviewsPerDay = 10;

/** How long after writing an author may edit a review. */
export const reviewEditWeeks = 8;

export const reviewPageSize = 10;

export const reviewOrders = { newest: 'Newest', highest: 'Highest rating', lowest: 'Lowest rating' } as const;
export type ReviewOrder = keyof typeof reviewOrders;
