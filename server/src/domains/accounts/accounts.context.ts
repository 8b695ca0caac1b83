import type { RegisterForm } from '@handwise/contract/accounts/calls';
import type { Caller } from '../../kit/caller.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';

/** What accounts need from the domains above them. */
export type AccountHooks = {
  /** Called in the transaction of a registration. Resolves to whether the referral code counts. */
  onRegistered: (
    tx: Tx,
    user: { id: string; username: string },
    form: Pick<RegisterForm, 'email' | 'referralCode'>,
    from: Caller,
  ) => Promise<boolean>;
  /** Called in the transaction of every password change: ends what was begun with the old password. */
  onPasswordChanged: (tx: Tx, userId: string) => Promise<void>;
  /** Called around the deletion of an account: `before` may call other services, `within` runs in its transaction. */
  onAccountDeleted: {
    before: (userId: string) => Promise<void>;
    within: (tx: Tx, userId: string) => Promise<void>;
  };
  /** The time zone of a member's business, for times in emails; undefined when they have no listing. */
  timeZoneOf: (db: Reader, userId: string) => Promise<string | undefined>;
  /** Collects a user's data from all domains. */
  listOwnData: (db: Reader, userId: string, now: Date) => Promise<OwnData[]>;
};
