/**
 * What a program decides about a person without anybody looking first, as the privacy page says it. `server/test/automated-decisions.test.ts` holds it
 * beside the code that decides.
 */
export const automatedDecisions = [
  {
    id: 'referrals',
    decision: 'Whether a referral counts',
    how: 'It is refused if both accounts look like one person, or the codes form a circle, and held if accounts may belong together. A held one says until when it waits, and then counts or lapses.',
    data: 'codes made of mailboxes, cards, browsers, networks and email domains, whether the address is a throwaway one, who used whose code and when, and payments with a card of one’s own',
    again: 'You see the reason on your referral page. Write to us, and a person decides.',
  },
  {
    id: 'tickets',
    decision: 'Whether a ticket takes part in the draw',
    how: 'Tickets become void if the payment behind them turns out to be a fraud, if the account’s address is not confirmed when entries close, if the account is deleted, and if you swap them for a free month.',
    data: 'the payment provider’s word on the payment, your address’s confirmation, and your own choices',
    again: 'You see each ticket and why it is void on your referral page. Write to us before the draw, and a person looks.',
  },
  {
    id: 'draw',
    decision: 'Who wins the draw',
    how: 'Chance decides, by public random numbers. Nobody is weighed or compared.',
    data: 'the tickets that take part',
    again: 'Anyone can check a draw on its page.',
  },
  {
    id: 'sign-in',
    decision: 'Whether an attempt to sign in or to prove an address is slowed down or refused',
    how: 'After several wrong attempts, further ones wait, from the same network and for the same account. A known browser is not held up by a stranger’s guesses.',
    data: 'how many attempts came, from which network and for which account, and whether the browser is known',
    again: 'It ends by itself within a day at most. If it keeps you out, write to us.',
  },
  {
    id: 'register',
    decision: 'Whether a listing shows a verified business number',
    how: 'The number is compared with the public register. Without an entry in operation under the name of the business, the badge is hidden; the listing stays.',
    data: 'the number and name on the listing, and the register’s entry',
    again: 'You get an email that says what did not match. Correct the listing and it is checked again; or write to us.',
  },
  {
    id: 'licence',
    decision: 'Whether a listing shows a licence',
    how: 'Where a register answers programs, the licence is looked up there, and again every 90 days. If it has ended, is suspended or is somebody else’s, the listing no longer shows it; the listing stays. A register that does not answer hides nothing.',
    data: 'the licence’s number and holder on the listing, and the register’s entry',
    again: 'You get an email with what the register says. Object there, and a person looks it up.',
  },
  {
    id: 'flags',
    decision: 'Whether our people should look at a review, a message, a listing or an account',
    how: 'A program reports reviews by somebody who shares a browser or a card with the seller, many reviews of one seller within an hour, the same message to many sellers, and a business number that two accounts give. Nothing is hidden until a person has decided.',
    data: 'codes of browsers and cards, times, whether messages have the same words, and business numbers',
    again: 'You are told about every decision, with its reason, and can object: another person answers.',
  },
  {
    id: 'sending',
    decision: 'How much you can send or ask for in a time',
    how: 'Beyond a limit, messages, quotes, requests, reports, sign-ups, codes, downloads and emails that you cause wait or are refused. The page says so.',
    data: 'how many you or your network have sent',
    again: 'It ends by itself. If your work needs more, write to us.',
  },
] as const;
