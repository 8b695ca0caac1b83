import { servicesOf } from '@handwise/contract/selling/forms';
import type { ComponentProps } from 'react';
import { TextField } from '../../../ui/forms/form-field.tsx';
import { ServiceChips } from './service-chips.tsx';

type ServicesTextProps = ComponentProps<typeof TextField> & { typed: string; onRemove: (rest: string) => void };

/** Services as comma-separated text, and below it what the commas make of it. */
export function ServicesText({ typed, onRemove, ...field }: ServicesTextProps) {
  const services = servicesOf(typed);
  return (
    <TextField
      {...field}
      after={
        <ServiceChips services={services} label="Your services" onRemove={(index) => onRemove(services.toSpliced(index, 1).join(', '))} />
      }
    />
  );
}
