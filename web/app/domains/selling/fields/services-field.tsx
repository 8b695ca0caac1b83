import { maxServices, listServices } from '@handwise/contract/selling/form-rules';
import { type KeyboardEvent, useRef, useState, type Ref } from 'react';
import { isComposing } from '../../../lib/forms/composing.ts';
import { TextField } from '../../../ui/forms/form-field.tsx';
import styles from './services-field.module.css';
import { IconX } from '@tabler/icons-react';

type ServicesFieldProps = { services: readonly string[]; onChange: (services: string[]) => void; error: string | undefined };

/** Services as chips: added by Enter, a comma or the button, removed by their cross. Duplicates and blanks are ignored. */
export function ServicesField({ services, onChange, error }: ServicesFieldProps) {
  const [text, setText] = useState('');
  const [warning, setWarning] = useState('');
  const [status, setStatus] = useState('');
  const list = useRef<HTMLUListElement>(null);

  function add(typed: string) {
    setText('');
    const existing = new Set(services.map((one) => one.toLowerCase()));
    const entered = listServices(typed);
    const fresh = entered.filter((one) => !existing.has(one.toLowerCase()));
    setWarning(fresh.length < entered.length ? 'This service is already added' : '');
    if (fresh.length === 0) return;
    setStatus(`${fresh.join(', ')} added.`);
    onChange([...services, ...fresh]);
  }
  function remove(index: number) {
    setStatus(`${services[index]} removed.`);
    onChange(services.toSpliced(index, 1));
    // The pressed button disappears with its chip: the next one's, or the field, takes the focus.
    requestAnimationFrame(() => {
      const next = list.current?.querySelectorAll('button')[Math.min(index, services.length - 2)];
      (next ?? document.getElementById('field-services'))?.focus();
    });
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || isComposing(event)) return;
    event.preventDefault();
    add(text);
  };
  return (
    <div className={styles.field}>
      <TextField
        id="field-services"
        label="Services offered"
        hint={`Press Enter or a comma after each. Up to ${maxServices}.`}
        autoComplete="off"
        maxLength={200}
        enterKeyHint="done"
        value={text}
        error={error}
        onChange={({ target }) => (target.value.includes(',') ? add(target.value) : setText(target.value))}
        onKeyDown={onKeyDown}
        onBlur={() => add(text)}
        after={
          <>
            <p className={styles.warning} role="alert">
              {warning}
            </p>
            <ServiceChips ref={list} services={services} label="Services" onRemove={remove} />
            <p className="visually-hidden" role="status">
              {status}
            </p>
          </>
        }
      />
      <button type="button" className={styles.add} onClick={() => add(text)}>
        Add<span className="visually-hidden"> service</span>
      </button>
    </div>
  );
}

type ServiceChipsProps = {
  services: readonly string[];
  label: string;
  onRemove: (index: number) => void;
  ref?: Ref<HTMLUListElement>;
};

/** Services as chips, each with a cross that removes it. Renders nothing without services. */
export function ServiceChips({ services, label, onRemove, ref }: ServiceChipsProps) {
  if (services.length === 0) return null;
  return (
    <ul className={styles.chips} ref={ref} aria-label={label}>
      {services.map((service, index) => (
        <li key={service.toLowerCase()} className={styles.chip}>
          {service}
          <button type="button" aria-label={`Remove ${service}`} onClick={() => onRemove(index)}>
            <IconX size={16} stroke={2} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
