import { registerOf } from '@handwise/contract/evidence/business-number';
import { dayMs } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { registerCheckDays } from '@handwise/contract/periods';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import type { EvidenceAsks } from './evidence.asks.ts';
import type { EvidenceContext } from './evidence.context.ts';
import { notVerifiedMail } from './evidence.mails.ts';
import * as queries from './evidence.queries.ts';
import { judge } from './evidence.rules.ts';

export const checkNumber = defineJob<{ listingId: string }>('evidence.check-number');

/** Where no answer came, although the job was tried again and again. */
const putOffDays = 1;
const dueAtOnce = 200;

const after = (now: Date, days: number) => new Date(now.getTime() + days * dayMs);

type Claim = { listingId: string; country: CountryCode; number: string | null };

/**
 * Begins the check of a listing's number anew, and forgets the one before. The register is asked by a job. To be called in the transaction
 * that gives the listing a number or its business another name, and that says that the listing is not verified.
 */
export async function beginCheck({ jobs, clock }: Context, tx: Tx, { listingId, country, number }: Claim): Promise<void> {
  await queries.deleteChecks(tx, [listingId]);
  if (number === null) return;
  await queries.insertCheck(tx, {
    listing_id: listingId,
    register: registerOf(country),
    number,
    check_at: after(clock.now(), putOffDays),
  });
  await jobs.send(tx, checkNumber, { listingId });
}

type Parts = { context: EvidenceContext; asks: EvidenceAsks };

/** Asks the register about a listing's number, outside of any transaction, and writes down what it said. Where it fails, the check before stands. */
export async function check({ context, asks }: Parts, listingId: string): Promise<void> {
  const { db, clock, registers } = context;
  const asked = await queries.findCheck(db, listingId);
  if (!asked) return;
  const register = registers[asked.register];
  const entry = register ? await register.find(asked.number) : null;
  const now = clock.now();
  await db.transaction().execute(async (tx) => {
    // The listing first, as whoever edits it does.
    const business = await asks.lockBusiness(tx, listingId);
    const before = await queries.lockCheck(tx, listingId);
    // Another number stands there now: it has a job of its own.
    if (!business || before?.number !== asked.number) return;
    const { state, registerName } = register ? judge(entry, business.businessTitle) : { state: 'valid' as const, registerName: null };
    await queries.updateCheck(tx, listingId, {
      state,
      register_name: registerName,
      sandbox: register?.sandbox ?? false,
      checked_at: register ? now : null,
      check_at: after(now, registerCheckDays),
    });
    await asks.setVerified(tx, listingId, state === 'verified');
    const otherListingIds = before.state === 'claimed' ? await queries.listOthersWith(tx, asked.number, listingId) : [];
    if (otherListingIds.length > 0) {
      await asks.onSharedNumber(tx, { listingId, sellerId: business.sellerId, ...asked, otherListingIds });
    }
    if ((state === 'refused' || state === 'gone') && state !== before.state) {
      const seller = await findContact(tx, business.sellerId);
      const about = { listingId, title: business.serviceTitle, register: asked.register, state, registerName };
      await context.jobs.send(tx, sendMail, notVerifiedMail({ to: seller.email, name: seller.full_name, appUrl: context.appUrl }, about));
    }
  });
}

/** Asks again about numbers whose answers have grown old, or that never had one. */
export async function checkDue({ db, jobs, clock }: Context): Promise<void> {
  for (;;) {
    const now = clock.now();
    const taken = await db.transaction().execute(async (tx) => {
      const due = await queries.takeDue(tx, now, after(now, putOffDays), dueAtOnce);
      await jobs.sendAll(
        tx,
        checkNumber,
        due.map((listingId) => ({ listingId })),
      );
      return due.length;
    });
    if (taken < dueAtOnce) return;
  }
}
