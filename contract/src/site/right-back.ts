/** The text of pages during short outages: while a server starts, stops or has lost a dependency. */
export const rightBack = {
  title: "We'll be right back",
  text: 'Our servers are not answering at the moment. Nothing of yours is lost. Please try again in a few seconds.',
  action: 'Try Again',
} as const;

/** The text of the page that a browser shows without a connection. */
export const offline = {
  title: 'You are offline',
  text: 'This page needs a connection. Check yours, then try again.',
  action: 'Try Again',
} as const;
