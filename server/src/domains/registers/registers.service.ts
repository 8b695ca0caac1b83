import { dayMs } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { registerCheckDays } from '@handwise/contract/periods';
import { getRegister } from '@handwise/contract/registers/business-number';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import type { RegisterContext, RegisterHooks } from './registers.context.ts';
import { notVerifiedEmail } from './registers.emails.ts';
import * as queries from './registers.queries.ts';
import { evaluateEntry } from './registers.rules.ts';

export type { Business, ClaimingBusiness, RegisterContext, RegisterHooks, RefusedLicence, SharedNumber } from './registers.context.ts';
export { toOwnCheck, toOwnLicenceCheck, toRegistration, toStatedLicence } from './registers.views.ts';
export {
  type LicenceColumns,
  type LicenceQuestion,
  checkLicenceAnswer,
  findLicenceQuestion,
  settleLicence,
  syncLicenceRequirements,
} from './registers.requirements.ts';
export {
  deleteLicenceChecks,
  licenceCheckedBy,
  listQueuedLicences,
  ownLicenceCheck,
  restartLicenceCheck,
  showLicence,
} from './registers.licence-checks.ts';
export { readRequirements } from './registers.licence-rows.ts';
export { getLawRegion, resolveRequirement } from './registers.licence-rules.ts';
export { countChecks, deleteChecks, registerCheck, verifiedBy } from './registers.queries.ts';

export const checkNumberJob = defineJob<{ listingId: string }>('registers.check-number');

/** When a check is due again although all retries of its job failed. */
const retryDays = 1;
const batchSize = 200;

const after = (now: Date, days: number) => new Date(now.getTime() + days * dayMs);

type Claim = { listingId: string; country: CountryCode; number: string | null };

/**
 * Replaces the check of a listing's number by a new one, which a job runs. Call it in the transaction that changes the number or the
 * business name and sets the listing to unverified.
 */
export async function restartCheck({ jobs, clock }: Context, tx: Tx, { listingId, country, number }: Claim): Promise<void> {
  await queries.deleteChecks(tx, [listingId]);
  if (number === null) return;
  await queries.insertCheck(tx, {
    listing_id: listingId,
    register: getRegister(country),
    number,
    check_at: after(clock.now(), retryDays),
  });
  await jobs.send(tx, checkNumberJob, { listingId });
}

type RegisterParts = { context: RegisterContext; hooks: RegisterHooks };

/** Queries the register for a listing's number, outside any transaction, and stores the result. On failure the earlier check stays. */
export async function checkRegister({ context, hooks }: RegisterParts, listingId: string): Promise<void> {
  const { db, clock, registers } = context;
  const claim = await queries.findCheck(db, listingId);
  if (!claim) return;
  const register = registers[claim.register];
  const entry = register ? await register.find(claim.number) : null;
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    // Locks the listing first, as an edit does.
    const business = await hooks.lockBusiness(tx, listingId);
    const before = await queries.lockCheck(tx, listingId);
    // A number changed meanwhile has its own job.
    if (!business || before?.number !== claim.number) return;
    const { state, registerName } = register
      ? evaluateEntry(entry, business.businessTitle)
      : { state: 'valid' as const, registerName: null };
    await queries.updateCheck(tx, listingId, {
      state,
      register_name: registerName,
      sandbox: register?.sandbox ?? false,
      checked_at: register ? now : null,
      check_at: after(now, registerCheckDays),
    });
    await hooks.setVerified(tx, listingId, state === 'verified');
    const otherListingIds = before.state === 'claimed' ? await queries.listOtherListingsWith(tx, claim.number, listingId) : [];
    if (otherListingIds.length > 0) {
      await hooks.onSharedNumber(tx, { listingId, sellerId: business.sellerId, ...claim, otherListingIds });
    }
    if ((state === 'refused' || state === 'gone') && state !== before.state) {
      const seller = await findContact(tx, business.sellerId);
      const about = { listingId, title: business.serviceTitle, register: claim.register, state, registerName };
      await context.jobs.send(tx, sendMail, notVerifiedEmail({ to: seller.email, name: seller.full_name, appUrl: context.appUrl }, about));
    }
  });
}

/** Starts the checks that are due: outdated ones, and those that never got an answer. */
export async function startDueChecks({ db, jobs, clock }: Context, batch = batchSize): Promise<void> {
  for (;;) {
    const now = clock.now();
    const taken = await db.transaction().execute(async (tx) => {
      const due = await queries.claimDueChecks(tx, now, after(now, retryDays), batch);
      await jobs.sendAll(
        tx,
        checkNumberJob,
        due.map((listingId) => ({ listingId })),
      );
      return due.length;
    });
    if (taken < batch) return;
  }
}
