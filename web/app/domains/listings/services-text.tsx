import { servicesOf } from '@handwise/contract/listings';
import { IconX } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { TextField } from '../../ui/form-field.tsx';
import styles from './services-text.module.css';

type ServicesTextProps = ComponentProps<typeof TextField> & { typed: string; onRemove: (rest: string) => void };

/** Services as comma-separated text, and below it what the commas make of it. */
export function ServicesText({ typed, onRemove, ...field }: ServicesTextProps) {
  const services = servicesOf(typed);
  return (
    <TextField
      {...field}
      after={
        services.length > 0 && (
          <ul className={styles.chips} aria-label="Your services">
            {services.map((service) => (
              <li key={service.toLowerCase()} className={styles.chip}>
                {service}
                <button
                  type="button"
                  aria-label={`Remove ${service}`}
                  onClick={() => onRemove(services.filter((one) => one !== service).join(', '))}
                >
                  <IconX size={16} stroke={2} aria-hidden="true" />
                </button>
              </li>
            ))}
          </ul>
        )
      }
    />
  );
}
