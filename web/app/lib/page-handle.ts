/** What a page says of itself to the server, exported as `handle`. */
export type PageHandle = {
  /**
   * The parameters of the address that its HTML depends on. The server hands no other to the page, because one HTML is kept for
   * all of them; the browser knows them all, once it has taken over.
   */
  reads?: readonly string[];
  /** Those of them with endless values, such as typed words: for these the page is made each time, and kept for the names and numbers of the others. */
  endless?: readonly string[];
};
