import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import type { ColorScheme } from '../../lib/document/color-scheme.ts';
import { setColorScheme, useColorScheme } from '../../lib/document/color-scheme.ts';
import styles from './color-scheme-choice.module.css';

const choices = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const satisfies readonly { value: ColorScheme; label: string; icon: unknown }[];

/** Light, dark, or as the system has it. */
export function ColorSchemeChoice() {
  const chosen = useColorScheme();
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Colours</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <label key={value} className={styles.option}>
          <input type="radio" name="color-scheme" value={value} checked={chosen === value} onChange={() => setColorScheme(value)} />
          <Icon size={18} stroke={1.75} aria-hidden="true" />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
