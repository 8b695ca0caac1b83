import { useCallback, useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, type Path, type PathValue, type Resolver, useForm } from 'react-hook-form';
import { ApiError, connectionProblem } from '../api-error.ts';
import { type FieldLabels, toFormProblem } from './form-problem.ts';

export type ResolvedForm<Values extends FieldValues> = {
  /** The form element's name, unique on the site. */
  name: string;
  /** Checks the values; may load on submit. */
  resolver: Resolver<Values> | { load: () => Promise<Resolver<Values>> };
  /** The initial values. The keys are the fields in their order on the page. */
  start: Values;
  /** Receives the valid values. Its errors are shown at their field if known, else above the form. */
  send: (values: Values) => Promise<void> | void;
  /** Receives the validation messages, once per attempt to submit. */
  onInvalid?: ((messages: readonly string[]) => void) | undefined;
  /** Labels of fields that are not inputs of the form, such as files: their errors are shown above the form. */
  labels?: FieldLabels;
  /** Receives the unchecked values on each change, to store or show them. */
  onChange?: ((values: Values) => void) | undefined;
};

let isScriptLoaded = false;

// Values typed before the script loaded are preserved. Later forms start with their given values.
function withTyped<Values extends FieldValues>(name: string, start: Values): Values {
  if (typeof document === 'undefined' || isScriptLoaded) return start;
  const form = document.forms.namedItem(name);
  const typed = Object.keys(start).flatMap((field) => {
    const input = form?.elements.namedItem(field);
    const value = input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement ? input.value : '';
    return value === '' ? [] : [[field, value]];
  });
  return { ...start, ...Object.fromEntries(typed) };
}

/** The late defaults of fields that are still empty: typed values stay. */
export const listUntyped = (defaults: object, values: Record<string, unknown>) =>
  Object.entries(defaults).filter(([field]) => values[field] === '');

/**
 * A form that is checked on submit. Spread `form` on the form element, `field(name)` on each field and `summary` on the
 * `ErrorSummary` at its top.
 */
export function useResolvedForm<Values extends FieldValues>({
  name,
  resolver,
  start,
  send,
  onInvalid,
  labels,
  onChange,
}: ResolvedForm<Values>) {
  const loaded = useRef<Resolver<Values>>(null);
  const [isLoading, setLoading] = useState(false);
  const [firstValues] = useState(() => withTyped(name, start));
  const { register, handleSubmit, setError, setValue, getValues, subscribe, formState } = useForm<Values>({
    resolver: async (...parts) => {
      const current = typeof resolver === 'function' ? resolver : loaded.current;
      return current ? current(...parts) : { values: parts[0], errors: {} };
    },
    defaultValues: firstValues as DefaultValues<Values>,
    shouldFocusError: false,
  });
  useEffect(() => {
    isScriptLoaded = true;
  }, []);
  const [message, setMessage] = useState<string>();
  const { errors, isSubmitting, isSubmitted, submitCount } = formState;
  useEffect(
    () => (onChange ? subscribe({ formState: { values: true }, callback: ({ values }) => onChange(values) }) : undefined),
    [subscribe, onChange],
  );
  const names = Object.keys(start) as Path<Values>[];
  const errorOf = (field: Path<Values>) => errors[field]?.message as string | undefined;

  const fillIn = useCallback(
    (defaults: Partial<Values>) => {
      const untyped = listUntyped(defaults, getValues()) as [Path<Values>, PathValue<Values, Path<Values>>][];
      for (const [field, value] of untyped) setValue(field, value);
    },
    [getValues, setValue],
  );

  // Stable, because effects call it.
  const choose = useCallback(
    <Name extends Path<Values>>(field: Name, value: PathValue<Values, Name>) =>
      setValue(field, value, { shouldDirty: true, shouldValidate: isSubmitted }),
    [setValue, isSubmitted],
  );

  const submit = handleSubmit(
    async (values) => {
      setMessage(undefined);
      try {
        await send(values);
      } catch (error) {
        const problem = toFormProblem(error, names, labels);
        setMessage(problem.message);
        for (const one of problem.fields) setError(one.field as Path<Values>, { message: one.message });
      }
    },
    (invalid) => {
      setMessage(undefined);
      onInvalid?.(names.flatMap((field) => (invalid[field]?.message as string | undefined) ?? []));
    },
  );
  const busy = isSubmitting || isLoading;
  async function loadAndSubmit(event: React.FormEvent) {
    event.preventDefault();
    // A busy button is no submit button, and the Enter key sends a form without one that has one field.
    if (busy) return undefined;
    if (typeof resolver === 'function') return submit(event);
    setLoading(true);
    try {
      loaded.current = await resolver.load();
    } catch {
      setMessage(toFormProblem(new ApiError(0, 'network', connectionProblem), names).message);
      return undefined;
    } finally {
      setLoading(false);
    }
    return submit();
  }
  const wrong = names.flatMap((field) => {
    const text = errorOf(field);
    return text === undefined ? [] : [{ field, message: text }];
  });
  return {
    // `post`, so that a password never ends up in a URL.
    form: { name, method: 'post', noValidate: true, onSubmit: (event: React.FormEvent) => void loadAndSubmit(event) },
    field: (field: Path<Values>, onChange?: (event: { target: { value: string } }) => void) => ({
      ...register(field, onChange && { onChange }),
      // Several forms of a page may have fields of the same name.
      id: `field-${name}-${field}`,
      error: errorOf(field),
    }),
    summary: { form: name, message, fields: wrong.filter((one) => one.message !== message), attempt: isSubmitting ? 0 : submitCount },
    busy,
    setValue,
    getValues,
    /** Fills fields that are still empty. */
    fillIn,
    /** Sets a field that has no input of its own, such as one of several dependent choices. */
    choose,
    errorOf,
  };
}
