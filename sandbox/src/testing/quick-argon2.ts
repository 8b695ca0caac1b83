// Replaces the library in test processes (`vitest.config.ts`) by hashes of minimal cost, because tests create thousands of
// accounts, and each real hash takes 30 ms of a core. `password.test.ts` tests the real cost.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Argon2 from '@node-rs/argon2';

const argon2: typeof Argon2 = createRequire(join(import.meta.dirname, '../../../server/package.json'))('@node-rs/argon2');

/** @public Imported under the library's name. */
export const hash: typeof Argon2.hash = (password, options) => argon2.hash(password, { ...options, memoryCost: 8, timeCost: 1 });
/** @public As `hash`. */
export const verify: typeof Argon2.verify = (...args) => library.verify(...args);

/** For tests that count password comparisons. */
export const library = { verify: argon2.verify };
