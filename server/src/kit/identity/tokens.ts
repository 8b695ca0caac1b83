import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as 43 characters. Whoever shows it is who got it. */
export const newToken = () => randomBytes(32).toString('base64url');

/** What is kept of a token: nobody can get back from it to the token. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest();
