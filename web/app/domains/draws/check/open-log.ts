import { sameBytes } from '@handwise/proof/bytes';
import { parseHead, type SignedHead, verifyHead } from '@handwise/proof/checkpoint';
import { leavesOfText, replayLog } from '@handwise/proof/log';
import { findHeads } from '@handwise/proof/mail';
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
  const isWithin = ({ size, root }: SignedHead) => {
    const then = replay.rootsAt.get(size);
    return then !== undefined && sameBytes(then, root);
  };
  const faults = replay.faults.slice(0, 10);
  if (newest && !isWithin(newest)) faults.push('the newest head does not belong to this log');
  yield step('log', 'The log is in order and leads to this head', faults, [`${replay.size} leaves`]);
  if (mail === null) return;
  const own = heads.filter(({ origin }) => origin === newest?.origin);
  const inMail = own.flatMap((head) => {
    const name = `the email’s head of ${head.size} leaves`;
    if (!verifyHead(head, publicKey)) return [`${name} is not signed with the key of this log`];
    return isWithin(head) ? [] : [`${name} is not the start of this log: what it said then has been changed`];
  });
  if (own.length === 0) inMail.push('the email holds no head of this month’s log');
  yield step(
    'mail',
    'The head in the email is the start of the ticket log',
    inMail,
    own.map(({ size }) => `the email was sent when the log had ${size} of ${replay.size} leaves`),
  );
}
