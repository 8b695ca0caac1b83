// Tests create thousands of accounts, and each hash of the real cost takes 30 ms of a core. `password.test.ts` tests the real cost.
import { argon2id } from '@handwise/server/kit/argon2id';

argon2id.cost = { memory: 8, passes: 1, parallelism: 1 };
