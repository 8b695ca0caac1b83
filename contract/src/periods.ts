// Periods that pages, emails, errors or the API mention. No schemas, so that public pages can import them without zod.

/** The longest life of a session, however much it is used. */
export const longestSessionDays = 90;
/** The precision of a session's last use. */
export const lastUseMinutes = 5;
/** How long a confirmed identity counts for calls with `recent`. */
export const recentMinutes = 10;
/** How long the second step of a sign-in may take. */
export const secondStepMinutes = 10;
/** How long an administrator can view the site as a user. */
export const lookMinutes = 30;
/** The time to appeal against a decision. */
export const appealMonths = 6;
/** How long the photos of a removed review are stored: until an appeal at the last moment has been decided too. */
export const removedPhotoMonths = appealMonths + 1;
/** How soon a deleted picture is gone: an hour in which cached pages may show it, an hourly clean-up, and caches between us and the reader. */
export const pictureDeletionHours = 3;
/** How long a check of a business number against its register is valid. */
export const registerCheckDays = 90;
/** How long a licence that was looked up counts as checked. */
export const licenceCheckDays = 90;
/** How long a listing from before may lack what the law asks for, and when it is reminded before that ends. */
export const licenceGraceDays = { all: 30, reminder: 7 } as const;
/** How long the payment provider's events are stored, and payments found there are shown. */
export const eventRetentionDays = 90;
export const foundPaymentDays = 90;
/** How long banks take to show a refund. */
export const bankDays = '5 to 10 days';
/** How long tax law requires invoices to be stored. */
export const invoiceYears = 7;
/** How long the holders of tickets are stored after their last draw: the longest period of any promotion rule, which a test compares. */
export const drawRecordsYears = 5;
/** How long messages of the contact form are stored. */
export const contactRetentionYears = 2;

/** How long a referral connects two accounts for the rules against abuse, and how long these store an account's network. */
export const referralTreeDays = 90;
/** How long those rules compare the email domains of accounts. */
export const referralDomainDays = 30;

/** Working days, Monday to Friday, within which a complaint is confirmed and decided. */
export const complaintDays = { confirm: 2, decide: 10 } as const;
