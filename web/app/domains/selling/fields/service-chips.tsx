import { IconX } from '@tabler/icons-react';
import type { Ref } from 'react';
import styles from './service-chips.module.css';

type ServiceChipsProps = {
  services: readonly string[];
  label: string;
  onRemove: (index: number) => void;
  ref?: Ref<HTMLUListElement>;
};

/** Services as chips, each with a cross that removes it. Nothing where there are none. */
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
