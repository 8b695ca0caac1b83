// How long things last that pages, emails, errors or the API tell people of. Without schemas: public pages do without those.

/** A session ends after so long, whatever is done with it. */
export const longestSessionDays = 90;
/** How exactly it is known when a session was last used. */
export const lastUseMinutes = 5;
/** How long it counts that somebody has proved who they are. */
export const recentMinutes = 10;
/** How long the first step of a sign-in holds. */
export const secondStepMinutes = 10;
/** How long an administrator can view the site as a user. */
export const lookMinutes = 30;
/** An appeal can be made for so long after the decision. */
export const appealMonths = 6;
/** The register is asked again about a business’s number after so long. */
export const registerCheckDays = 90;
/** What the payment provider has sent is kept for so long, and payments found there are shown for so long. */
export const keptEventDays = 90;
export const foundPaymentDays = 90;
/** Banks take so many days to show a refund. */
export const bankDays = '5 to 10 days';
/** Tax law requires invoices for so long. */
export const invoiceYears = 7;
/** Who had tickets is kept for so long after their last draw: what the rules for prize draws require, and a test holds it against them. */
export const drawRecordsYears = 5;
/** What was written to us by the contact form is kept for so long. */
export const contactKeptYears = 2;

/** How long a referral connects two accounts for the rules against abuse, and where an account came from is stored for them. */
export const referralTreeDays = 90;
/** How long the mail domains of accounts are compared for them. */
export const referralDomainDays = 30;
