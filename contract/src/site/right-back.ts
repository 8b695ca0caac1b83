/** The text of pages during short outages: while a server starts, stops or has lost a dependency. */
export const rightBack = {
  title: "We'll be right back",
  text: 'Our servers are not answering at the moment. Nothing of yours is lost. Please try again in a few seconds.',
  action: 'Try Again',
} as const;
