import { paths } from '@handwise/contract/paths';
import type { DecisionKind } from '@handwise/contract/admin/report-words';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, findUserForAdmin, isConfirmed } from '../accounts/accounts.service.ts';
import { appealAnsweredMail, decisionMail, reportAnsweredMail } from './admin.mails.ts';

type Decided = { decision: DecisionKind; reason: string; title: string };

/** Whoever has deleted the account has no mailbox here any more. */
const findReader = async (tx: Tx, userId: string) =>
  (await findUserForAdmin(tx, userId))?.deleted_at === null ? findContact(tx, userId) : undefined;

/** Mails the person whom a decision concerns. With the link they can object, also when they cannot sign in. */
export async function tellConcerned({ jobs, appUrl }: Context, tx: Tx, userId: string, told: Decided & { link?: string }): Promise<void> {
  const user = await findReader(tx, userId);
  if (!user) return;
  const url = told.link ? `${appUrl}${paths.linkedDecision}?token=${told.link}` : undefined;
  await jobs.send(tx, sendMail, decisionMail({ to: user.email, name: user.full_name }, { ...told, url }));
}

/** Mails those who reported a thing what became of it, each once. */
export async function tellReporters(
  { jobs }: Context,
  tx: Tx,
  reports: readonly { reporter_id: string | null }[],
  told: Decided,
): Promise<void> {
  for (const reporterId of new Set(reports.flatMap((report) => report.reporter_id ?? []))) {
    const user = await findReader(tx, reporterId);
    if (!user || user.suspended_at || !(await isConfirmed(tx, reporterId))) continue;
    await jobs.send(tx, sendMail, reportAnsweredMail({ to: user.email, name: user.full_name }, told));
  }
}

export async function tellAnswer(
  { jobs, appUrl }: Context,
  tx: Tx,
  userId: string,
  answered: { upheld: boolean; answer: string; title: string },
): Promise<void> {
  const user = await findReader(tx, userId);
  if (!user) return;
  await jobs.send(tx, sendMail, appealAnsweredMail({ to: user.email, name: user.full_name }, answered, `${appUrl}${paths.decisions}`));
}
