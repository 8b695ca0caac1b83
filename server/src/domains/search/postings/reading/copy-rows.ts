import type pg from 'pg';

// Before the first row: a signature, flags, and how long what follows them is.
const signatureBytes = 11;
const headerBytes = signatureBytes + 8;
const noRow = -1;

/** A statement of `copy … to stdout (format binary)`. */
class Copy implements pg.Submittable {
  readonly #text: string;
  readonly #take: (bytes: Buffer, at: number) => void;
  #begun = false;
  #failed: Error | null = null;
  /** Called by pg too, where it takes too long. */
  callback: (error: Error | null) => void;

  constructor(text: string, take: (bytes: Buffer, at: number) => void, callback: (error: Error | null) => void) {
    this.#text = text;
    this.#take = take;
    this.callback = callback;
  }

  submit(connection: { query(text: string): void }) {
    connection.query(this.#text);
  }

  // The database sends one message for each row.
  handleCopyData({ chunk }: { chunk: Buffer }) {
    if (this.#failed) return;
    const at = this.#begun ? 0 : headerBytes + chunk.readInt32BE(headerBytes - 4);
    this.#begun = true;
    try {
      if (at < chunk.length && chunk.readInt16BE(at) !== noRow) this.#take(chunk, at + 2);
    } catch (error) {
      this.#failed = error as Error;
    }
  }

  handleError(error: Error) {
    this.#failed ??= error;
    this.callback(this.#failed);
  }

  handleReadyForQuery() {
    this.callback(this.#failed);
  }

  handleRowDescription() {}
  handleDataRow() {}
  handleCommandComplete() {}
  handleEmptyQuery() {}
}

/** Calls `take` with each row that a query has, as bytes from a place on: of each column its length and then its value, in binary. */
export const copyRows = (client: pg.Client, query: string, take: (bytes: Buffer, at: number) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new Copy(`copy (${query}) to stdout (format binary)`, take, (error) => (error ? reject(error) : resolve())));
  });
