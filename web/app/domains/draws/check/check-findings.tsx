import type { PublicDraw } from '@handwise/contract/draws/calls';
import type { Step } from '@handwise/proof/verify';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { SandboxNote } from '../sandbox-note.tsx';
import styles from './check.module.css';
import type { CheckResult } from './check-messages.ts';
import type { CheckerResult } from './use-checker.ts';

/** "0.4 seconds" */
const formatSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} seconds`;

// Each step in plain words; the verifier's own title is shown below.
const meanings: Record<Step['name'], string> = {
  file: 'The published file can be read',
  entries: 'Every ticket is in the list exactly once, and they add up',
  root: 'The seal fits the list',
  round: 'The random number was named before anyone could know it',
  signature: 'The random number is the one that was named, and genuine',
  winner: 'The list and the number lead to this result and no other',
  head: 'The last seal of the month’s log is signed',
  log: 'The month’s log adds up to exactly this list',
  mail: 'What your email said still holds',
  commitment: 'Nothing has changed since your earlier file',
};

const getMeaning = ({ name }: Pick<Step, 'name'>) => meanings[name];

/** Leaves out steps that need a file which the reader has not provided. */
export const isShown = ({ name, state }: Step) => state !== 'not-checked' || (name !== 'mail' && name !== 'commitment');

/** The verdict in words. Claims nothing about a result that is not published yet. */
export function formatVerdict({ isValid, isDrawn, ms }: { isValid: boolean; isDrawn: boolean; ms: number }): string {
  const found = isValid
    ? isDrawn
      ? 'The tickets, the random number and the result all match.'
      : 'Everything published so far matches.'
    : 'This draw does not check out: see what failed below.';
  return `${found} Your browser worked this out by itself in ${formatSeconds(ms)}.`;
}

/** The results of the check, step by step. */
export function CheckFindings({ draw, answer }: { draw: PublicDraw; answer: CheckerResult<CheckResult> }) {
  if (answer.state === 'idle') return null;
  const result = answer.state === 'busy' ? answer.partial : answer.state === 'done' ? answer.value : null;
  const end = result?.end;
  return (
    <div className={styles.findings}>
      <div role="status">
        {answer.state === 'busy' && <p>Your browser is reading the list and working it out…</p>}
        {answer.state === 'failed' && (
          <p className={styles.verdict} data-valid="false">
            {answer.message}
          </p>
        )}
        {end && (
          <p className={styles.verdict} data-valid={end.isValid}>
            {formatVerdict(end)}
          </p>
        )}
      </div>
      {end && <SandboxNote draw={draw} short />}
      {result && (
        <ul className={styles.steps} aria-label="The steps">
          {result.steps.filter(isShown).map((step) => (
            <StepLine key={step.name} step={step} />
          ))}
        </ul>
      )}
    </div>
  );
}

const marks = {
  passed: { Icon: IconCheck, word: 'Passed' },
  failed: { Icon: IconX, word: 'Failed' },
  'not-checked': { Icon: IconMinus, word: 'Not checked' },
};

function StepLine({ step }: { step: Step }) {
  const { Icon, word } = marks[step.state];
  return (
    <li className={styles.step} data-state={step.state}>
      <span className={styles.mark}>
        <Icon size={18} stroke={2.25} aria-hidden="true" />
      </span>
      <div>
        <p className={styles.name}>
          <span className="visually-hidden">{word}: </span>
          {getMeaning(step)}
        </p>
        <p className={styles.detail}>{step.title}.</p>
        {step.details.map((one) => (
          <p key={one} className={styles.details}>
            {one}
          </p>
        ))}
      </div>
    </li>
  );
}
