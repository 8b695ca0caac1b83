// Without schemas: the page of a listing needs these words and must stay small.

/** Why a review is not shown any more, as its stub says it. The last one is the author's own doing. */
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

/** The same in a few words, where they are counted. */
export const removalNames: Record<RemovalReason, string> = {
  not_genuine: 'not from a customer',
  not_about_service: 'not about the work',
  offensive: 'abusive or offensive',
  private_details: 'with private details',
  rewarded: 'paid or rewarded',
  legal: 'by law',
  withdrawn: 'withdrawn by the author',
};

/** So many reviews an account can write within a day. */
export const maxReviewsPerDay = 10;

/** So long after it was written its author may change a review. */
export const reviewEditWeeks = 8;

/** How many reviews come with a listing, and with each page of older ones. */
export const reviewPageSize = 10;

export const reviewOrders = { newest: 'Newest', highest: 'Highest rating', lowest: 'Lowest rating' } as const;
export type ReviewOrder = keyof typeof reviewOrders;
