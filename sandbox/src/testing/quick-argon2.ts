// Stands in for the library where files of tests share a process (`vitest.config.ts`): true hashes, made at the least cost. Tests make thousands of
// accounts, and each hash takes a core for some 30 ms. What one must cost is held by `password.test.ts`, with the library as it is.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Argon2 from '@node-rs/argon2';

const argon2: typeof Argon2 = createRequire(join(import.meta.dirname, '../../../server/package.json'))('@node-rs/argon2');

/** @public The server's code asks for it by the library's name. */
export const hash: typeof Argon2.hash = (password, options) => argon2.hash(password, { ...options, memoryCost: 8, timeCost: 1 });
/** @public As `hash`. */
export const verify: typeof Argon2.verify = (...given) => library.verify(...given);

/** For tests that count password comparisons. */
export const library = { verify: argon2.verify };
