import type { PublicDraw } from '@handwise/contract/draws/calls';
import type { Step } from '@handwise/proof/verify';
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react';
import { SandboxNote } from '../sandbox-note.tsx';
import styles from './check.module.css';
import type { CheckResult } from './check-messages.ts';
import { isShown, meaningOf, verdictText } from './check-view.ts';
import type { Answer } from './use-checker.ts';

/** What the reader’s browser found, each step as it comes. */
export function CheckFindings({ draw, answer }: { draw: PublicDraw; answer: Answer<CheckResult> }) {
  if (answer.state === 'none') return null;
  const result = answer.state === 'busy' ? answer.sofar : answer.state === 'there' ? answer.value : null;
  const end = result?.end;
  return (
    <div className={styles.findings}>
      <div role="status">
        {answer.state === 'busy' && <p>Your browser is reading the list and working it out…</p>}
        {answer.state === 'failed' && (
          <p className={styles.verdict} data-holds="false">
            {answer.message}
          </p>
        )}
        {end && (
          <p className={styles.verdict} data-holds={end.holds}>
            {verdictText(end)}
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
  holds: { Icon: IconCheck, word: 'Passed' },
  fails: { Icon: IconX, word: 'Failed' },
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
          {meaningOf(step)}
        </p>
        <p className={styles.detail}>{step.title}.</p>
        {step.says.map((one) => (
          <p key={one} className={styles.says}>
            {one}
          </p>
        ))}
      </div>
    </li>
  );
}
