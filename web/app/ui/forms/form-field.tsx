import type { ComponentProps, ReactNode } from 'react';
import { useId, useState } from 'react';
import styles from './form-field.module.css';

type Frame = {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
};

type FrameProps = Frame & { id: string; children: ReactNode; after?: ReactNode };

const describedBy = (id: string, { hint, error }: Frame) =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;

/** Label above the field, hint and error below. */
const FieldFrame = ({ id, label, hint, error, optional, children, after }: FrameProps) => (
  <div className={styles.field} data-invalid={error ? '' : undefined}>
    <label className={styles.label} htmlFor={id}>
      {label}
      {optional && <span className={styles.optional}> (optional)</span>}
    </label>
    {children}
    {error && (
      <p className={styles.error} id={`${id}-error`}>
        <span className="visually-hidden">Error: </span>
        {error}
      </p>
    )}
    {hint && (
      <p className={styles.hint} id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {after}
  </div>
);

/** The properties that every input gets from its label, hint and error. */
function useField<P extends Frame & { id?: string | undefined; name?: string | undefined }>({
  label,
  hint,
  error,
  optional = false,
  ...input
}: P) {
  const ownId = useId();
  const id = input.id ?? (input.name ? `field-${input.name}` : ownId);
  const frame = { id, label, hint, error, optional };
  return {
    frame,
    input: {
      ...input,
      id,
      className: styles.input,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': describedBy(id, frame),
    },
  };
}

/**
 * `after` is shown below the hint, for content that changes while typing. Other properties go to the input, including react-hook-form's
 * `register(…)`.
 */
export function TextField({ after, ...props }: Frame & { after?: ReactNode } & ComponentProps<'input'>) {
  const { frame, input } = useField(props);
  return (
    <FieldFrame {...frame} after={after}>
      <input type="text" {...input} />
    </FieldFrame>
  );
}

export function TextArea({ after, ...props }: Frame & { after?: ReactNode } & ComponentProps<'textarea'>) {
  const { frame, input } = useField(props);
  return (
    <FieldFrame {...frame} after={after}>
      <textarea rows={6} {...input} />
    </FieldFrame>
  );
}

/** Its children are the options. */
export function SelectField({ children, ...props }: Frame & ComponentProps<'select'>) {
  const { frame, input } = useField(props);
  return (
    <FieldFrame {...frame}>
      <select {...input}>{children}</select>
    </FieldFrame>
  );
}

/** The used length of a text: "120/500", below its field. */
export const TextCounter = ({ text, max }: { text: string; max: number }) => (
  <p className={styles.counter} data-over={text.trim().length > max || undefined}>
    {text.trim().length}/{max}
  </p>
);

/** A password field with a button that shows the password. */
export function PasswordField(props: Frame & Omit<ComponentProps<'input'>, 'type'>) {
  const { frame, input } = useField(props);
  const [visible, setVisible] = useState(false);
  return (
    <FieldFrame {...frame}>
      <div className={styles.group}>
        <input {...input} type={visible ? 'text' : 'password'} autoCapitalize={visible ? 'off' : undefined} spellCheck={false} />
        <button type="button" className={styles.show} aria-pressed={visible} aria-controls={input.id} onClick={() => setVisible(!visible)}>
          {visible ? 'Hide' : 'Show'}
          <span className="visually-hidden"> password</span>
        </button>
      </div>
    </FieldFrame>
  );
}
