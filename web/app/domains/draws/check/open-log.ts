import { sameBytes } from '@handwise/proof/bytes';
import { parseHead, verifyHead } from '@handwise/proof/checkpoint';
import { leavesOfText, replayLog } from '@handwise/proof/log';
import { findHeads } from '@handwise/proof/mail';
import { checkMailedHeads } from '@handwise/proof/mailed-heads';
import type { Step } from '@handwise/proof/verify';

type OpenLog = { log: string; checkpoint: string; publicKey: string; mail: string | null };

const step = (name: Step['name'], title: string, faults: string[], says: string[] = []): Step => ({
  name,
  title,
  state: faults.length > 0 ? 'fails' : 'holds',
  says: [...faults, ...says],
});

/** The log of a month that is not over has no proof yet: its newest head is what it must lead to, and each mail’s head a beginning of it. */
export function* checkOpenLog({ log, checkpoint, publicKey, mail }: OpenLog): Generator<Step> {
  const newest = parseHead(checkpoint);
  const isSigned = newest !== null && verifyHead(newest, publicKey);
  yield step('head', 'The newest head of the ticket log is signed with the key of the terms', isSigned ? [] : ['it is not']);
  const heads = mail === null ? [] : findHeads(mail);
  const replay = replayLog(
    leavesOfText(log),
    [newest, ...heads].flatMap((head) => head?.size ?? []),
  );
  const rootAt = (size: number) => replay.rootsAt.get(size);
  const rootThen = newest && rootAt(newest.size);
  const faults = replay.faults.slice(0, 10);
  if (newest && !(rootThen && sameBytes(rootThen, newest.root))) faults.push('the newest head does not belong to this log');
  yield step('log', 'The log is in order and leads to this head', faults, [`${replay.size} leaves`]);
  if (mail === null) return;
  const found = newest
    ? checkMailedHeads(mail, { origin: newest.origin, publicKey, size: replay.size, rootAt }, 'cannot be compared')
    : { faults: ['without a newest head nothing says of which log it must be'], says: [] };
  yield step('mail', 'The head in the email is the start of the ticket log', found.faults, found.says);
}
