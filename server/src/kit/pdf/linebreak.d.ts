declare module 'linebreak' {
  /** Finds where a line may end by UAX 14. */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}
