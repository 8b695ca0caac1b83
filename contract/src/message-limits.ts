// Without schemas: what is typed before one has signed in is counted too.

export const maxMessageLength = 2_000;
export const maxMessagePictures = 10;
