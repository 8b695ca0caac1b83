import type { DecisionKind } from '@handwise/contract/admin/report-words';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, findUserForAdmin, isConfirmed } from '../accounts/accounts.service.ts';
import { appealAnsweredEmail, decisionEmail, reportAnsweredEmail } from './admin.emails.ts';

type Decided = { decision: DecisionKind; reason: string; title: string };

/** Undefined for deleted accounts, which have no address. */
const findRecipient = async (tx: Tx, userId: string) =>
  (await findUserForAdmin(tx, userId))?.deleted_at === null ? findContact(tx, userId) : undefined;

/** Emails the person concerned by a decision. `link` lets them appeal without signing in. */
export async function notifyConcernedUser(
  { jobs, appUrl }: Context,
  tx: Tx,
  userId: string,
  decided: Decided & { link?: string },
): Promise<void> {
  const user = await findRecipient(tx, userId);
  if (!user) return;
  const url = decided.link ? `${appUrl}${paths.linkedDecision}?token=${decided.link}` : undefined;
  await jobs.send(tx, sendMail, decisionEmail({ to: user.email, name: user.full_name }, { ...decided, url }));
}

/** Emails everyone who reported a subject what was decided, each once. */
export async function notifyReporters(
  { jobs }: Context,
  tx: Tx,
  reports: readonly { reporter_id: string | null }[],
  decided: Decided,
): Promise<void> {
  for (const reporterId of new Set(reports.flatMap((report) => report.reporter_id ?? []))) {
    const user = await findRecipient(tx, reporterId);
    if (!user || user.suspended_at || !(await isConfirmed(tx, reporterId))) continue;
    await jobs.send(tx, sendMail, reportAnsweredEmail({ to: user.email, name: user.full_name }, decided));
  }
}

export async function notifyOfAppealAnswer(
  { jobs, appUrl }: Context,
  tx: Tx,
  userId: string,
  answered: { upheld: boolean; answer: string; title: string },
): Promise<void> {
  const user = await findRecipient(tx, userId);
  if (!user) return;
  await jobs.send(tx, sendMail, appealAnsweredEmail({ to: user.email, name: user.full_name }, answered, `${appUrl}${paths.decisions}`));
}
