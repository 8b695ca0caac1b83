import type { ButtonHTMLAttributes, ReactNode } from 'react';
import type { LinkProps } from 'react-router';
import { Link } from 'react-router';
import styles from './button.module.css';

type Look = { kind?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'on-band'; size?: 'sm' | 'md' | 'lg'; wide?: boolean };

const getClass = ({ kind = 'primary', size = 'md', wide = false }: Look) =>
  [styles.button, styles[kind], styles[size], wide && styles.wide].filter(Boolean).join(' ');

/** A link that looks like a button. */
export const ButtonLink = ({ kind, size, wide, ...link }: LinkProps & Look) => (
  <Link {...link} className={getClass({ ...(kind && { kind }), ...(size && { size }), ...(wide && { wide }) })} />
);

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & Look & { busy?: boolean; children: ReactNode };

/** `busy` keeps the button focusable and announces it, but ignores presses. */
export function Button({ kind, size, wide, busy = false, type = 'button', onClick, children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? 'button' : type}
      className={getClass({ ...(kind && { kind }), ...(size && { size }), ...(wide && { wide }) })}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy && <span className={styles.busy} aria-hidden="true" />}
      {children}
    </button>
  );
}
