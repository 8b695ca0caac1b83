/** A pattern for `like` that finds the text anywhere, each of its characters meaning itself. */
export const anywhere = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
