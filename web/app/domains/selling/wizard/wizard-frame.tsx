import { IconCheck, IconEye } from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, Suspense, startTransition, useEffect, useRef, useState } from 'react';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Container } from '../../../ui/page/page.tsx';
import styles from './wizard-frame.module.css';
import { getStepPosition, type Step, stages } from './wizard-steps.ts';

/** The progress: all stages by name if there is room, else the number, the step's name and a bar. */
function Progress({ step }: { step: Step }) {
  const { stage, name, part, parts, share } = getStepPosition(step);
  return (
    <nav className={styles.progress} aria-label="Progress">
      <ol className={styles.stages}>
        {stages.map((one, index) => {
          const number = index + 1;
          const state = number < stage || step === 'done' ? 'done' : number === stage ? 'current' : 'open';
          return (
            <li key={one.name} className={styles.stage} data-state={state} aria-current={number === stage ? 'step' : undefined}>
              <span className={styles.dot}>{state === 'done' ? <IconCheck size={18} stroke={2.5} aria-hidden="true" /> : number}</span>
              <span>
                {one.name}
                {state === 'done' && <span className="visually-hidden"> (done)</span>}
              </span>
            </li>
          );
        })}
      </ol>
      <div className={styles.slim} aria-hidden="true">
        <p>
          <strong>
            Step {stage} of {stages.length}
          </strong>{' '}
          · {name}
          {parts > 1 && (
            <span className="muted">
              {' '}
              ({part} of {parts})
            </span>
          )}
        </p>
        <span className={styles.bar}>
          <span style={{ width: `${share * 100}%` }} />
        </span>
      </div>
    </nav>
  );
}

type WizardFrameProps = {
  step: Step;
  title: string;
  intro?: ReactNode;
  /** The listing as it will look: beside the form on desks, opened by a button on phones. */
  preview?: ReactNode;
  /** For full-width content such as the plans. */
  wide?: boolean;
  /** For steps that only wait. */
  centred?: boolean;
  onStartFresh?: (() => void) | undefined;
  children: ReactNode;
};

/** The progress above a page that has a frame of its own. */
export const WizardProgress = ({ step }: { step: Step }) => (
  <Container>
    <div className={styles.above}>
      <Progress step={step} />
    </div>
  </Container>
);

/** The frame of each step: progress, its heading, the form, the preview. The heading of a new step takes the focus. */
export function WizardFrame({ step, title, intro, preview, wide = false, centred = false, onStartFresh, children }: WizardFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus({ preventScroll: true });
  }, [step]);
  return (
    <Container>
      <div className={styles.frame}>
        <Progress step={step} />
        <div className={styles.grid} data-preview={preview ? '' : undefined} data-wide={wide || undefined}>
          <div className={styles.main}>
            <div className={styles.head} data-centred={centred || undefined}>
              <h1 ref={heading} className={styles.title} tabIndex={-1}>
                {title}
              </h1>
              {intro && <div className={styles.intro}>{intro}</div>}
              {preview && <PreviewButton>{preview}</PreviewButton>}
            </div>
            <Suspense fallback={<LoadingView />}>{children}</Suspense>
            {onStartFresh && <StartFresh onConfirm={onStartFresh} />}
          </div>
          {preview && (
            <aside className={styles.preview} aria-label="Preview of your listing">
              <p className={styles.previewTitle}>Preview</p>
              {preview}
            </aside>
          )}
        </div>
      </div>
    </Container>
  );
}

function PreviewButton({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.previewButton}>
      <Button kind="secondary" size="sm" onClick={() => startTransition(() => setOpen(true))}>
        <IconEye size={20} stroke={1.75} aria-hidden="true" />
        Preview your listing
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Preview of your listing">
        {children}
      </Dialog>
    </div>
  );
}

function StartFresh({ onConfirm }: { onConfirm: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <div className={styles.fresh}>
      <span className="muted">Your draft is kept in this browser.</span>
      <Button kind="quiet" size="sm" onClick={() => setAsking(true)}>
        Start fresh
      </Button>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Start fresh?"
        actions={
          <>
            <Button kind="secondary" onClick={() => setAsking(false)}>
              Keep my draft
            </Button>
            <Button
              onClick={() => {
                setAsking(false);
                onConfirm();
              }}
            >
              Start fresh
            </Button>
          </>
        }
      >
        <p>Everything you typed and chose for this listing will be removed from this browser. A plan you paid for stays yours.</p>
      </Dialog>
    </div>
  );
}

/** Replaces a step that failed to load. Retrying reloads the page, because only a new page knows the files of a new deployment. */
export const StepProblem = () => (
  <div role="alert">
    <Notice>
      <p>This step could not be loaded. Nothing you typed is lost.</p>
      <Button kind="secondary" size="sm" onClick={() => location.reload()}>
        Try Again
      </Button>
    </Notice>
  </div>
);

/** A step whose script loads when it is shown. */
export const loadStepLater = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy<ComponentType<Props>>(() =>
    load().then(
      (Step) => ({ default: Step }),
      () => ({ default: StepProblem }),
    ),
  );

type StepActionsProps = { onBack?: (() => void) | null | undefined; goingBack?: boolean; children: ReactNode };

/** The buttons at the end of a step: back, and what leads on. */
export const StepActions = ({ onBack, goingBack = false, children }: StepActionsProps) => (
  <div className={styles.actions}>
    {onBack && (
      <Button kind="secondary" busy={goingBack} onClick={onBack}>
        Back
      </Button>
    )}
    {children}
  </div>
);
