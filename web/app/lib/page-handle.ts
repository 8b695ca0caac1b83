/** What a page declares to the server, exported as `handle`. */
export type PageHandle = {
  /** The query parameters that its HTML depends on. The server passes no others, because one HTML is cached for all of them. */
  reads?: readonly string[];
  /** Those with unbounded values, such as typed words: the page is not cached for them. */
  endless?: readonly string[];
};
