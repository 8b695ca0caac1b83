import { z } from 'zod';
import { maxQuoteReceivers, maxQuoteRequestsPerDay } from './messages/limits.ts';
import { appealMonths } from './periods.ts';
import { formatNames } from './pictures.ts';
import { maxReviewsPerDay, reviewEditWeeks } from './reviews/words.ts';

/** Every error of the API with its HTTP status and its message. */
export const errors = {
  invalid_input: { status: 400, message: 'Please check the marked fields.' },
  beyond_the_log: { status: 400, message: 'The log is not that long, or the two sizes are in the wrong order.' },
  malformed_request: { status: 400, message: 'The request could not be read.' },
  unsupported_picture: { status: 400, message: `This file is not a picture that we can read. Use ${formatNames}.` },
  unsupported_pdf: { status: 400, message: 'This file is not a PDF.' },
  picture_too_large: { status: 400, message: 'This picture has too many pixels. Use a smaller one.' },
  too_many_files: { status: 400, message: 'There are too many files.' },
  push_endpoint_refused: { status: 400, message: 'Notifications cannot be sent to this address.' },
  link_not_valid: { status: 400, message: 'This link has already been used or has expired. Ask for a new one.' },
  not_authenticated: { status: 401, message: 'You need to be logged in to access this content.' },
  invalid_credentials: { status: 401, message: 'Email or password is incorrect.' },
  sign_in_over: { status: 401, message: 'This sign-in took too long or has already been used. Please sign in again.' },
  passkey_refused: { status: 401, message: 'This passkey does not work here. Use your password instead.' },
  session_over: { status: 401, message: 'Your session has ended. Please sign in.' },
  not_draw_winner: { status: 403, message: 'You are not currently a draw winner' },
  forbidden: { status: 403, message: 'You do not have access to this.' },
  address_not_confirmed: { status: 403, message: 'Please confirm your email address first. We can send you the link again.' },
  own_matter: { status: 403, message: 'This is about you, so another administrator has to decide it.' },
  needs_another_administrator: { status: 403, message: 'You made this decision, so another administrator has to answer the objection.' },
  own_content: { status: 403, message: 'This is your own. You can change or remove it yourself.' },
  confirm_identity: { status: 403, message: 'Please confirm that it is you first.' },
  look_only: { status: 403, message: 'You are viewing the site as somebody else, so you cannot change anything.' },
  own_listing: { status: 403, message: 'You cannot review your own listing.' },
  own_listing_message: { status: 403, message: 'This is your own listing.' },
  not_the_business: { status: 403, message: 'Only the business of a conversation can send a quote in it.' },
  blocked: { status: 403, message: 'This person has stopped messages from you. Nothing was sent.' },
  cross_origin: { status: 403, message: 'Requests from other sites are not accepted.' },
  route_not_found: { status: 404, message: 'There is nothing at this address.' },
  authenticator_not_found: { status: 404, message: 'No authenticator app is set up.' },
  passkey_not_found: { status: 404, message: 'This passkey could not be found.' },
  session_not_found: { status: 404, message: 'This session has already ended.' },
  push_subscription_not_found: { status: 404, message: 'This device no longer gets notifications.' },
  alert_not_found: { status: 404, message: 'This alert could not be found.' },
  listing_not_found: { status: 404, message: 'This listing could not be found.' },
  report_not_found: { status: 404, message: 'This report could not be found.' },
  appeal_not_found: { status: 404, message: 'This objection could not be found.' },
  import_not_found: { status: 404, message: 'This import could not be found. A dry run is deleted after a day.' },
  user_not_found: { status: 404, message: 'This account could not be found.' },
  nothing_to_decide: { status: 404, message: 'What you want to decide about could not be found.' },
  decision_not_found: { status: 404, message: 'This decision could not be found.' },
  nothing_to_report: { status: 404, message: 'What you want to report could not be found.' },
  review_not_found: { status: 404, message: 'This review could not be found.' },
  seller_not_found: { status: 404, message: 'Unable to contact seller. Invalid seller information.' },
  quote_request_not_found: { status: 404, message: 'This quote request could not be found.' },
  quote_not_found: { status: 404, message: 'This quote could not be found.' },
  file_not_found: { status: 404, message: 'This file could not be found.' },
  conversation_not_found: { status: 404, message: 'This conversation could not be found.' },
  draw_period_not_found: { status: 404, message: 'There was no draw in this month.' },
  costs_not_found: { status: 404, message: 'Too few listings name a price for this.' },
  entry_not_found: { status: 404, message: 'This entry could not be found.' },
  draw_not_found: { status: 404, message: 'This draw could not be found.' },
  /** A listing that existed: 404 in the API, 410 as a page. */
  listing_gone: { status: 404, message: 'This listing is no longer available.' },
  no_business_phone: { status: 404, message: 'This business gives no phone number.' },
  payment_required: { status: 402, message: 'This plan is not paid for yet. Nothing was published; your details are kept.' },
  payment_incomplete: { status: 402, message: 'The payment is not complete. Please try again or contact support.' },
  card_declined: { status: 402, message: 'Payment failed. Please try a different card or try again later.' },
  card_not_found: { status: 404, message: 'This card could not be found.' },
  payment_not_found: { status: 404, message: 'This payment could not be found.' },
  subscription_not_found: { status: 404, message: 'This subscription could not be found.' },
  plan_not_found: { status: 404, message: 'This plan could not be found.' },
  receipt_not_found: { status: 404, message: 'This receipt could not be found.' },
  referral_not_found: { status: 404, message: 'This referral could not be found.' },
  settings_changed: {
    status: 409,
    message: 'Somebody has changed the settings in the meantime. Load the page again and look at them first.',
  },
  import_file_differs: { status: 409, message: 'This is not the file of the dry run. Look at the dry run again.' },
  reward_not_ready: { status: 409, message: 'You can choose once their first listing is live.' },
  reward_taken: { status: 409, message: 'You have already chosen the free month for this referral.' },
  reward_too_late: { status: 409, message: 'The draw with these tickets has closed. They cannot be swapped any more.' },
  card_needed: { status: 402, message: 'Please save a card first. Nothing is charged for the free month.' },
  other_card_needed: {
    status: 402,
    message:
      'Your saved card has paid for a free month of another account. Please save another card. Nothing is charged for the free month.',
  },
  already_covered: { status: 409, message: 'Your subscription still has a free slot. This listing costs nothing.' },
  payment_processing: {
    status: 409,
    message: 'Your bank is still processing this payment. Nothing is charged twice; please wait a moment.',
  },
  payment_mismatch: { status: 409, message: 'This payment was made for another plan or in another currency.' },
  payment_disputed: {
    status: 409,
    message:
      'The bank is looking at the payment for this plan. Until it has decided, nothing new can be published under it and it cannot be changed.',
  },
  nothing_to_refund: { status: 409, message: 'There is nothing left of this payment to refund.' },
  refund_too_large: { status: 409, message: 'This is more than is left of the payment.' },
  renewal_not_possible: { status: 409, message: 'This plan has ended, was changed or is already renewed. Nothing was changed.' },
  price_changed: { status: 409, message: 'The price of this plan has changed. Nothing was changed; please look at the new price.' },
  payment_used: { status: 409, message: 'This payment has already been used for a listing.' },
  payment_email_refused: {
    status: 409,
    message:
      'The payment service does not accept your email address. Please correct it in your account, then pay again. Nothing was charged.',
  },
  no_free_slot: { status: 409, message: 'Your subscription has no free slot left. Please choose a plan for this listing.' },
  plan_too_small: { status: 409, message: 'This plan covers fewer listings than you have.' },
  listing_already_active: { status: 409, message: 'This listing is already active' },
  listing_hidden: { status: 409, message: 'Our moderators have hidden this listing. Your account says why, and how to object.' },
  listing_not_active: { status: 409, message: 'You can only do this while a listing is active.' },
  submission_taken: { status: 409, message: 'This listing could not be submitted. Please reload the page and try again.' },
  free_month_used: { status: 409, message: 'A referral code makes an account’s first plan free, and you have already had a plan.' },
  referral_refused: { status: 409, message: 'This referral code does not count for your account.' },
  referral_code_set: { status: 409, message: 'Your first referral code stays. A second one cannot be added.' },
  own_referral_code: { status: 409, message: 'You cannot use your own referral code.' },
  last_administrator: { status: 409, message: 'You are the last administrator. Make somebody else an administrator first.' },
  entry_not_active: { status: 409, message: 'These tickets are already void, or their draw has closed.' },
  takes_no_part: { status: 409, message: 'Administrators and suspended accounts take no part in the draw.' },
  draw_still_open: { status: 409, message: 'This draw is still open. Its entries are published when it closes.' },
  no_entries_to_draw: { status: 409, message: 'There are no entries to draw from.' },
  draw_run_already: { status: 409, message: 'This month’s draw has already been run.' },
  already_claimed: { status: 409, message: 'You have already submitted your payment details.' },
  claim_too_late: { status: 409, message: 'The time to claim this prize has passed.' },
  prize_not_claimed: { status: 409, message: 'The winner has not submitted payment details yet.' },
  prize_paid_already: { status: 409, message: 'This prize has already been paid.' },
  nobody_to_strike: { status: 409, message: 'This draw has no winner to strike.' },
  already_decided: { status: 409, message: 'This has already been decided.' },
  already_reported: { status: 409, message: 'You have already reported this. We will look at it.' },
  already_appealed: { status: 409, message: 'You have already objected to this decision.' },
  appeal_too_late: { status: 409, message: `A decision can be objected to for ${appealMonths} months.` },
  already_reviewed: { status: 409, message: 'You have already reviewed this listing' },
  already_answered: { status: 409, message: 'You have already answered this review' },
  quote_request_closed: { status: 409, message: 'You have closed this quote request. Describe the job again to ask others.' },
  quote_request_full: { status: 409, message: `A quote request goes to ${maxQuoteReceivers} businesses at most.` },
  others_not_offered: {
    status: 409,
    message: 'Your message can’t go to this business any more. Nothing was sent; please look at who is offered now.',
  },
  quote_not_open: { status: 409, message: 'This quote is no longer open. Nothing was changed.' },
  member_left: { status: 409, message: 'This person has closed their account. Your message was not sent.' },
  blocked_by_you: { status: 409, message: 'You have stopped messages from this person. Allow them again to write.' },
  review_removed: { status: 409, message: 'This review was removed and cannot be changed.' },
  review_too_old: { status: 409, message: `A review can be changed for ${reviewEditWeeks} weeks after it was written.` },
  too_many_alerts: { status: 409, message: 'You have reached the limit for alerts. Delete one you no longer need.' },
  too_many_saved: { status: 409, message: 'You have reached the limit for saved listings. Remove some you no longer need.' },
  too_many_push_devices: { status: 409, message: 'You have reached the limit for devices with notifications. End one first.' },
  passkey_exists: { status: 409, message: 'This passkey has already been added.' },
  too_many_passkeys: { status: 409, message: 'You have reached the limit for passkeys. Remove one you no longer use.' },
  authenticator_exists: { status: 409, message: 'An authenticator app is already set up. Remove it first.' },
  username_taken: { status: 409, message: 'This username is already taken.' },
  email_taken: { status: 409, message: 'An account with this email already exists. Sign in instead.' },
  body_incomplete: { status: 408, message: 'Your request took too long to reach us. Nothing was saved. Please try again.' },
  body_too_large: { status: 413, message: 'The request is too large.' },
  file_too_large: { status: 413, message: 'This file is too large.' },
  unsupported_media_type: { status: 415, message: 'This call does not take a body of this type.' },
  webhook_signature_invalid: { status: 400, message: 'The signature of this message is not valid.' },
  too_many_uploads: {
    status: 429,
    message: 'You are already uploading in three places. Nothing of this upload was saved. Please try again once one of them is done.',
  },
  too_many_requests: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  too_many_quote_requests: {
    status: 429,
    message: `You can ask for quotes ${maxQuoteRequestsPerDay} times a day. Message a business from its listing, or ask again tomorrow.`,
  },
  too_many_reviews: {
    status: 429,
    message: `You can write ${maxReviewsPerDay} reviews a day. This one was not published. Please try again tomorrow.`,
  },
  internal: { status: 500, message: 'An unexpected error occurred' },
  payment_provider_unavailable: {
    status: 503,
    message: 'Unable to process payment. Please try again. The payment service is not answering; you are never charged twice.',
  },
  payment_provider_refused: {
    // Not 502, which proxies answer for a server that is not there.
    status: 500,
    message: 'We cannot take payments at the moment. This is our fault, not your card’s. Nothing was charged; please try again later.',
  },
  storage_unavailable: {
    status: 503,
    message: 'Your pictures cannot be stored at the moment. Nothing was saved. Please try again shortly.',
  },
  storage_full: {
    status: 507,
    message: 'We have no space left to store your pictures at the moment. Nothing was saved. Please try again later.',
  },
  database_full: {
    status: 507,
    message: 'We have no space left to save anything at the moment. Nothing was saved. Please try again later.',
  },
  busy: { status: 503, message: 'Many people are signing in at the moment. Please try again in a few seconds.' },
  overloaded: { status: 503, message: 'The site is very busy at the moment. Please try again in a few seconds.' },
  search_timed_out: { status: 503, message: 'That search took too long. Please try again in a few seconds.' },
  unavailable: { status: 503, message: 'The site is starting up or its database is not responding. Please try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** The message of `too_many_requests` when the time to wait is known. */
export function formatTooMany(seconds: number): string {
  const [count, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [Math.max(1, Math.ceil(seconds)), 'second'];
  return `Too many attempts. Please try again in ${count} ${unit}${count === 1 ? '' : 's'}.`;
}

/** The body of every error response. `errors` lists the invalid fields, if any. */
export const errorBody = z
  .object({
    message: z.string(),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
    errors: z.array(z.object({ field: z.string(), message: z.string() })),
    requestId: z.string().optional(),
  })
  .meta({ id: 'Error' });
export type ErrorBody = z.infer<typeof errorBody>;
