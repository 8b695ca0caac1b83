/** What a page says that cannot be shown for some seconds: while a server starts, ends, or does not reach what it needs. */
export const rightBack = {
  title: "We'll be right back",
  text: 'Our servers are not answering at the moment. Nothing of yours is lost. Please try again in a few seconds.',
  action: 'Try Again',
} as const;
