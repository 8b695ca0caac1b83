import { photosGoAtOnce, removalReasons } from '@handwise/contract/reviews/words';
import { decideReportCall, undoDecisionCall } from '@handwise/contract/admin/reports';
import { decisionKinds, type Measure, measuresFor, type ReportKind, opposites } from '@handwise/contract/admin/report-words';
import { type ReactNode, useId, useState, useEffect, useRef } from 'react';
import type { z } from 'zod';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { SelectField, TextArea } from '../../../ui/forms/form-field.tsx';
import styles from './case.module.css';
import type { FoundListing, FoundReview } from '@handwise/contract/admin/search';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { decisions, useDecision, useUndoing } from './admin-queries.ts';
import { Loaded } from './list-parts.tsx';

type Decided = z.input<typeof decideReportCall.body>;

type DecisionFormProps = {
  kind: ReportKind;
  title: string;
  /** Without reports there is nothing to dismiss. */
  without?: Measure;
  send: (decided: Decided) => Promise<unknown>;
};

/** A decision with its reason, and a preview of what people will read. */
export function DecisionForm({ kind, title, without, send }: DecisionFormProps) {
  const measures: readonly Measure[] = measuresFor[kind].filter((one) => one !== without);
  const [decision, setDecision] = useState<Measure>(measures[0] ?? 'warn');
  const [reason, setReason] = useState('');
  const [removedBecause, setRemovedBecause] = useState('');
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: 'decision',
    schema: decideReportCall.body.pick({ reason: true }),
    start: { reason: '' },
    send: async (values) => {
      await send({
        decision,
        reason: values.reason,
        ...(decision === 'remove_review' && { removedBecause: removedBecause as NonNullable<Decided['removedBecause']> }),
      });
    },
    onChange: (values) => setReason(values.reason),
  });
  const { name, notice } = decisionKinds[decision];
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <Choices
        legend="What is your decision?"
        options={measures.map((one) => ({ value: one, name: decisionKinds[one].name }))}
        value={decision}
        onChange={(value) => setDecision(value as Measure)}
      />
      {decision === 'remove_review' && (
        <SelectField
          label="The note in its place will say"
          name="removedBecause"
          hint={
            photosGoAtOnce.some((one) => one === removedBecause) && 'Its photos are deleted now. An objection does not bring them back.'
          }
          value={removedBecause}
          onChange={(event) => setRemovedBecause(event.target.value)}
        >
          <option value="">Choose</option>
          {Object.entries(removalReasons)
            .filter(([key]) => key !== 'withdrawn')
            .map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
        </SelectField>
      )}
      <TextArea
        label="Reason"
        rows={4}
        hint={decision === 'dismiss' ? 'The people who reported it will read this.' : 'The person concerned will read this, word for word.'}
        {...field('reason')}
      />
      <Preview
        by={decision === 'dismiss' ? 'The people who reported it' : 'The person concerned'}
        notice={notice}
        title={title}
        reason={reason}
      />
      <div>
        <Button type="submit" busy={busy} kind={decision === 'dismiss' || decision === 'warn' ? 'primary' : 'danger'}>
          {busy ? 'Sending…' : name}
        </Button>
      </div>
    </form>
  );
}

type ChoicesProps = {
  legend: string;
  options: readonly { value: string; name: string }[];
  value: string;
  onChange: (value: string) => void;
};

/** A group of choices, side by side. The keyboard shortcut focuses the first. */
export function Choices({ legend, options, value, onChange }: ChoicesProps) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            data-key={option.value === value ? 'decide' : undefined}
            onChange={() => onChange(option.value)}
          />
          {option.name}
        </label>
      ))}
    </fieldset>
  );
}

/** A live preview of what people will read. */
export const Preview = ({ by, notice, title, reason }: { by: string; notice: ReactNode; title: string; reason: string }) => (
  <section className={styles.preview} aria-label={`${by} will read`}>
    <p className="muted">{by} will read:</p>
    <p>
      <strong>{notice}</strong>
    </p>
    <p className="muted">About: {title}</p>
    <blockquote>{reason.trim() || '…'}</blockquote>
  </section>
);

export type DecidedAbout = { kind: ReportKind; id: string; title: string; concernedId: string };

export const aboutListing = (listing: FoundListing): DecidedAbout => ({
  kind: 'listing',
  id: listing._id,
  title: listing.serviceTitle,
  concernedId: listing.seller._id,
});

// A review as its author reads it.
export const aboutReview = ({ _id: id, listing, author }: FoundReview): DecidedAbout => ({
  kind: 'review',
  id,
  title: `Review of “${listing.serviceTitle}”`,
  concernedId: author._id,
});

/** Decides on content without a report, or reverses a decision about it. */
export function DecideDialog({ about, onClose }: { about: DecidedAbout | null; onClose: () => void }) {
  return (
    <Dialog open={about !== null} onClose={onClose} title={about ? `Decide about ${about.title}` : 'Decide'}>
      {about && <Decide about={about} onClose={onClose} />}
    </Dialog>
  );
}

function Decide({ about, onClose }: { about: DecidedAbout; onClose: () => void }) {
  const decision = useDecision();
  const query = useQuery(decisions({ concerned: about.concernedId, limit: '100' }));
  return (
    <Loaded query={query}>
      {(data) => (
        <>
          {data.decisions
            .filter((one) => one.about.id === about.id && !one.undone && one.decision in opposites && one.decision !== 'dismiss')
            .map((one) => (
              <section key={one._id}>
                <p>
                  <strong>{decisionKinds[one.decision].name}</strong>: {one.reason}
                </p>
                <UndoForm id={one._id} decision={one.decision as Measure} title={about.title} onDone={onClose} />
              </section>
            ))}
          <DecisionForm
            kind={about.kind}
            title={about.title}
            without="dismiss"
            send={async (body) => {
              await decision.mutateAsync({ body: { ...body, kind: about.kind, id: about.id } });
              onClose();
            }}
          />
        </>
      )}
    </Loaded>
  );
}

/** A choice. The first is selected initially. */
type Answer = {
  value: string;
  name: string;
  /** Shown to those concerned, above the reason. */
  notice: string;
  button: string;
  kind: 'primary' | 'danger';
};

type ReasonedChoiceProps = {
  /** The form's name. */
  name: string;
  schema: z.ZodType<{ reason: string }, { reason: string }>;
  legend: string;
  answers: readonly [Answer, ...Answer[]];
  /** Who reads the reason. */
  readers: string;
  hint: string;
  title: string;
  send: (answer: string, reason: string) => Promise<unknown>;
};

/** A choice with a reason, and a preview of what those concerned will read. */
export function ReasonedChoice({ name, schema, legend, answers, readers, hint, title, send }: ReasonedChoiceProps) {
  const [value, setValue] = useState(answers[0].value);
  const [reason, setReason] = useState('');
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name,
    schema,
    start: { reason: '' },
    send: async (values) => {
      await send(value, values.reason);
    },
    onChange: (values) => setReason(values.reason),
  });
  const chosen = answers.find((one) => one.value === value) ?? answers[0];
  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <Choices legend={legend} options={answers} value={value} onChange={setValue} />
      <TextArea label="Reason" rows={4} hint={hint} {...field('reason')} />
      <Preview by={readers} notice={chosen.notice} title={title} reason={reason} />
      <div>
        <Button type="submit" busy={busy} kind={chosen.kind}>
          {busy ? 'Sending…' : chosen.button}
        </Button>
      </div>
    </form>
  );
}

type UndoFormProps = { id: string; decision: Measure; title: string; onDone?: () => void };

/** Reverses a decision, with a reason. The form opens on press. */
export function UndoForm({ id, decision, title, onDone }: UndoFormProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const undoing = useUndoing();
  const { form, field, summary, busy } = useCheckedForm<{ reason: string }>({
    name: `undo-${id}`,
    schema: undoDecisionCall.body,
    start: { reason: '' },
    send: async (body) => {
      await undoing.mutateAsync({ params: { id }, body });
      setOpen(false);
      onDone?.();
    },
    onChange: (values) => setReason(values.reason),
  });
  const opened = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (open) opened.current?.querySelector('textarea')?.focus();
  }, [open]);
  if (!open) {
    return (
      <div>
        <Button kind="secondary" size="sm" data-key="undo" onClick={() => setOpen(true)}>
          Reverse this decision
        </Button>
      </div>
    );
  }
  return (
    <form {...form} ref={opened} className={styles.form}>
      <ErrorSummary {...summary} />
      <TextArea label="Why are you reversing it?" rows={3} {...field('reason')} />
      {decision !== 'dismiss' && (
        <Preview by="The person concerned" notice={decisionKinds[opposites[decision]].notice} title={title} reason={reason} />
      )}
      <div>
        <Button type="submit" busy={busy}>
          {busy ? 'Sending…' : 'Reverse the decision'}
        </Button>{' '}
        <Button kind="quiet" onClick={() => setOpen(false)}>
          Keep it
        </Button>
      </div>
    </form>
  );
}
