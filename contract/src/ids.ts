/** A UUID as part of a regular expression. */
export const idPattern = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;

const whole = new RegExp(`^${idPattern}$`, 'i');

/** Whether the text is a UUID. */
export const isId = (text: string): boolean => whole.test(text);
