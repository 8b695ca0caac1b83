import { randomUUID } from 'node:crypto';
import { dayMs } from '@handwise/contract/dates';
import { readAccountNumber } from '@handwise/contract/draws/account-number';
import { type ClaimDetails, claimDetails, type PaymentDetails, type WonDraw } from '@handwise/contract/draws/calls';
import { findHomeProblem, type Home } from '@handwise/contract/draws/permits';
import { bankDetailsRetentionDays, type PrizeCurrency } from '@handwise/contract/draws/prize';
import { markets } from '@handwise/contract/markets';
import { site } from '@handwise/contract/site/site';
import type { Reader } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findLastCountry } from '../listings/listings.service.ts';
import { getPeriod } from '../tickets/tickets.service.ts';
import type { DrawContext } from './draws.context.ts';
import { claimWaitingEmail } from './draws.emails.ts';
import * as queries from './draws.queries.ts';
import { isUnclaimed, movePrize, payoutState } from './draws.states.ts';
import { findCurrentPick } from './draws.winners.ts';

type Won = Awaited<ReturnType<typeof queries.listPrizesOfUser>>[number];

/** The oldest unclaimed prize, else the newest. */
async function findWon(db: Reader, userId: string): Promise<Won | undefined> {
  const won = await queries.listPrizesOfUser(db, userId);
  return won.find(isUnclaimed) ?? won.at(-1);
}

export async function checkWinner(db: Reader, userId: string): Promise<{ isWinner: boolean; draw: WonDraw | null }> {
  const won = await findWon(db, userId);
  return { isWinner: won !== undefined, draw: won ? await toWonDraw(db, userId, won) : null };
}

async function toWonDraw(db: Reader, userId: string, { draw_id: id, prize, claim_by: claimBy, currency }: Won): Promise<WonDraw> {
  const { year, month, closedAt, closesAt, prizeDollars, leftOut } = await getPeriod(db, id);
  return {
    _id: id,
    drawDate: (closedAt ?? closesAt).toISOString(),
    month: month - 1,
    year,
    prizeAmount: prizeDollars,
    status: 'completed',
    paymentStatus: payoutState(prize),
    currency: currency ?? (await defaultCurrency(db, userId)),
    claimBy: (claimBy ?? closesAt).toISOString(),
    leftOut: [...leftOut],
  };
}

async function defaultCurrency(db: Reader, userId: string): Promise<PrizeCurrency> {
  return markets[(await findLastCountry(db, userId)) ?? 'NZ'].currency;
}

const sealContext = (claimId: string) => `prize claim ${claimId}`;

/**
 * Stores the bank details of a prize, once and in time. Throws `not_draw_winner`, `already_claimed`, `claim_too_late`, and `invalid_input` for an
 * account number that is not valid in this currency and for somebody to whom the draw was not open.
 */
export async function submitClaim(
  context: DrawContext,
  userId: string,
  { currency, livesIn, ...details }: PaymentDetails & { currency?: PrizeCurrency | undefined; livesIn?: Home | undefined },
): Promise<WonDraw> {
  const { db, jobs, clock, keyring, appUrl } = context;
  return db.transaction().execute(async (tx) => {
    const found = await findWon(tx, userId);
    if (!found) throw new AppError('not_draw_winner');
    const draw = await queries.lockDraw(tx, found.draw_id);
    // Read again under the lock: the prize may have been claimed or passed on.
    const pick = findCurrentPick(await queries.listPicks(tx, [found.draw_id]));
    if (!draw || pick?.id !== found.id) throw new AppError('not_draw_winner');
    if (!isUnclaimed(draw)) throw new AppError('already_claimed');
    const now = clock.now();
    if (now >= pick.claim_by) throw new AppError('claim_too_late');
    const claim = {
      id: randomUUID(),
      pick_id: pick.id,
      currency: currency ?? (await defaultCurrency(tx, userId)),
      claimed_at: now,
    };
    const period = await getPeriod(tx, draw.id);
    if (period.leftOut.length > 0 && livesIn === undefined) throw invalidField('livesIn', 'Choose where you live');
    const homeProblem = livesIn && findHomeProblem(livesIn, period);
    if (homeProblem) throw invalidField('livesIn', homeProblem);
    const account = readAccountNumber(details.accountNumber, claim.currency);
    if ('problem' in account) throw invalidField('accountNumber', account.problem);
    await queries.insertClaim(
      tx,
      claim,
      keyring.seal(JSON.stringify({ ...details, livesIn, accountNumber: account.number }), sealContext(claim.id)),
    );
    if (!(await movePrize(tx, draw, 'claimed'))) throw new AppError('already_claimed');
    await jobs.send(tx, sendMail, claimWaitingEmail(site.supportEmail, appUrl, period));
    return toWonDraw(tx, userId, { ...found, prize: 'claimed', currency: claim.currency });
  });
}

export async function decryptClaim(
  db: Reader,
  { keyring }: Pick<DrawContext, 'keyring'>,
  claimId: string,
): Promise<ClaimDetails | undefined> {
  const sealed = await queries.findSealedClaim(db, claimId);
  return sealed && claimDetails.parse(JSON.parse(keyring.open(sealed, sealContext(claimId))));
}

/** Erases bank details `bankDetailsRetentionDays` after payment. */
export async function erasePaidClaims({ db, clock }: DrawContext): Promise<void> {
  const now = clock.now();
  const paid = await queries.listPaidBefore(db, new Date(now.getTime() - bankDetailsRetentionDays * dayMs));
  for (const { id } of paid) await queries.eraseClaim(db, id, now);
}

/** Re-encrypts with the first key, so that older keys can be removed. */
export async function reencryptClaims({ db, keyring, logger }: DrawContext): Promise<void> {
  for (const { id } of await queries.listClaimsOfOtherKeys(db, keyring.keyId)) {
    try {
      const sealed = await queries.findSealedClaim(db, id);
      if (sealed)
        await queries.updateSealedClaim(db, id, sealed.keyId, keyring.seal(keyring.open(sealed, sealContext(id)), sealContext(id)));
    } catch (error) {
      logger.error({ err: error, claimId: id }, 'the details of a claim cannot be decrypted: is its key still in PRIZE_KEYS?');
    }
  }
}
