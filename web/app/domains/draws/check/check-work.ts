import { fromHex, areBytesEqual } from '@handwise/proof/bytes';
import { hashEntry } from '@handwise/proof/draw';
import { verifyInclusion } from '@handwise/proof/tree';
import { checkDraw, type Step } from '@handwise/proof/verify';
import { drawFiles } from '../draw-view.ts';
import { computeShares, createWall } from '../draw-wall.ts';
import type { CheckResult, Files, OwnEntry, Operation, Operations } from './check-messages.ts';
import { parseHead, verifyHead } from '@handwise/proof/checkpoint';
import { parseLogText, replayLog } from '@handwise/proof/log';
import { findHeads, checkMailedHeads } from '@handwise/proof/mail';

type OpenLog = { log: string; checkpoint: string; publicKey: string; mail: string | null };

const step = (name: Step['name'], title: string, faults: string[], details: string[] = []): Step => ({
  name,
  title,
  state: faults.length > 0 ? 'failed' : 'passed',
  details: [...faults, ...details],
});

/** An open month's log has no proof yet: it must lead to its newest head, and each email's head must be a prefix of it. */
function* checkOpenLog({ log, checkpoint, publicKey, mail }: OpenLog): Generator<Step> {
  const newest = parseHead(checkpoint);
  const isSigned = newest !== null && verifyHead(newest, publicKey);
  yield step('head', 'The newest head of the ticket log is signed with the key of the terms', isSigned ? [] : ['it is not']);
  const heads = mail === null ? [] : findHeads(mail);
  const replay = replayLog(
    parseLogText(log),
    [newest, ...heads].flatMap((head) => head?.size ?? []),
  );
  const rootAt = (size: number) => replay.rootsAt.get(size);
  const rootThen = newest && rootAt(newest.size);
  const faults = replay.faults.slice(0, 10);
  if (newest && !(rootThen && areBytesEqual(rootThen, newest.root))) faults.push('the newest head does not belong to this log');
  yield step('log', 'The log is in order and leads to this head', faults, [`${replay.size} leaves`]);
  if (mail === null) return;
  const found = newest
    ? checkMailedHeads(mail, { origin: newest.origin, publicKey, size: replay.size, rootAt }, 'cannot be compared')
    : { faults: ['without a newest head nothing says of which log it must be'], details: [] };
  yield step('mail', 'The head in the email is the start of the ticket log', found.faults, found.details);
}

type OnProgress<T> = (partial: T) => void;
type Work = {
  [Name in Operation]: (
    input: Operations[Name]['input'],
    onProgress: OnProgress<Operations[Name]['output']>,
  ) => Promise<Operations[Name]['output']>;
};
type DrawFile = keyof ReturnType<typeof drawFiles>;

const isIn =
  (root: string) =>
  ({ id, tickets, proof: { index, size, path } }: OwnEntry) => {
    const hashes = path.map((hash) => fromHex(hash, 32)).filter((hash) => hash !== null);
    const seal = fromHex(root, 32);
    if (!seal || hashes.length < path.length) return false;
    return verifyInclusion({ leaf: hashEntry({ id, tickets }), index, size, path: hashes, root: seal });
  };

/** Collects the steps of a check and reports each. */
function walk<End>(steps: Generator<Step, End>, onProgress: OnProgress<CheckResult>): { steps: Step[]; end: End } {
  const found: Step[] = [];
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { steps: found, end: value };
    found.push(value);
    onProgress({ steps: [...found], end: null });
  }
}

/** The worker's handlers. `read` fetches a published file, `now` gives the time in milliseconds. */
export function checkWork(read: (path: string) => Promise<string>, now: () => number): Work {
  const texts = new Map<string, Promise<string>>();
  // Each file is fetched once per version: a large draw has several megabytes.
  function file(which: DrawFile, { period, edition }: Files) {
    const key = `${which} ${period} ${edition}`;
    const text = texts.get(key) ?? read(drawFiles(period)[which]);
    texts.set(key, text);
    // A failed fetch is retried the next time.
    text.catch(() => texts.delete(key));
    return text;
  }
  return {
    picture: async (files) => {
      const { entries } = JSON.parse(await file('proof', files)) as { entries: { tickets: number }[] };
      return { wall: createWall(entries), shares: computeShares(entries) };
    },
    own: async ({ entries, root }) => entries.map(isIn(root)),
    check: async ({ mail, commitment, ...files }, onProgress) => {
      const [proof, log] = await Promise.all([file('proof', files), file('log', files)]);
      const startedAt = now();
      const { steps, end } = walk(checkDraw({ proof, log, mail: mail ?? undefined, commitment: commitment ?? undefined }), onProgress);
      return { steps, end: { isValid: end.isValid, isDrawn: end.isDrawn, ms: now() - startedAt } };
    },
    // Not cached, because the log grows. The head is read before the log that must reach it.
    openLog: async ({ period, mail }, onProgress) => {
      const files = drawFiles(period);
      const { log: key } = JSON.parse(await read(files.terms)) as { log: { publicKey: string } };
      const checkpoint = await read(files.checkpoint);
      const log = await read(files.log);
      const startedAt = now();
      const { steps } = walk(checkOpenLog({ log, checkpoint, publicKey: key.publicKey, mail }), onProgress);
      return { steps, end: { isValid: steps.every(({ state }) => state !== 'failed'), isDrawn: false, ms: now() - startedAt } };
    },
  };
}
