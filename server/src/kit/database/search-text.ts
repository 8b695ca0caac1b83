/** A pattern for `like` that finds the text anywhere, each of its characters meaning itself. */
export const anywhere = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;

/** Whether a text can be an id. */
export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
