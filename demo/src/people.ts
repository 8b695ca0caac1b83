import { slug } from '@handwise/contract/text';
import type { Random } from './random.ts';
import { firstNames, surnames } from './words-people.ts';

export type UserRow = {
  id: string;
  full_name: string;
  username: string;
  email: string;
  password_hash: string;
  role: 'user' | 'admin';
  referral_code: string;
  referred_by_code: string | null;
  created_at: string;
};

const demoEpoch = Date.UTC(2026, 0, 1);

/** UUIDs in the format of version 7, with a counter in place of the time so that they are reproducible. */
export function createIdFactory(random: Random): () => string {
  let count = 0;
  const hex = (digits: number) =>
    Math.floor(random.next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return () => {
    const time = (demoEpoch + count++).toString(16).padStart(12, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${'89ab'[random.int(0, 3)]}${hex(3)}-${hex(6)}${hex(6)}`;
  };
}

/** Creates users with unique names, addresses and codes. */
export function createUserFactory(random: Random, newId: () => string) {
  const usernames = new Set<string>();
  const codes = new Set<string>();

  const reserve = (taken: Set<string>, make: (attempt: number) => string) => {
    for (let attempt = 0; ; attempt++) {
      const value = make(attempt);
      if (taken.has(value)) continue;
      taken.add(value);
      return value;
    }
  };
  return (values: {
    fullName?: string;
    username?: string;
    email?: string;
    passwordHash?: string;
    role?: 'admin';
    code?: string;
    createdAt: number;
    referredBy?: string;
  }): UserRow => {
    const fullName = values.fullName ?? `${random.pick(firstNames)} ${random.pick(surnames)}`;
    const base = slug(fullName).replaceAll('-', '_').slice(0, 15);
    const username =
      values.username ?? reserve(usernames, (attempt) => (attempt || base.length < 3 ? `${base}${random.int(2, 9999)}` : base));
    const prefix = `REF-${username.slice(0, 3).toUpperCase()}-`;
    const code = values.code ?? reserve(codes, (attempt) => prefix + random.int(1002, attempt < 20 ? 9999 : 99_999));
    usernames.add(username);
    codes.add(code);
    return {
      id: newId(),
      full_name: fullName,
      username,
      email: values.email ?? `${username}@people.example`,
      password_hash: values.passwordHash ?? '!',
      role: values.role ?? 'user',
      referral_code: code,
      referred_by_code: values.referredBy ?? null,
      created_at: new Date(values.createdAt).toISOString(),
    };
  };
}
