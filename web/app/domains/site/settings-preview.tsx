import { getAccentTokens } from '@handwise/contract/site/accent';
import { getLogoTokens } from '@handwise/contract/site/logo';
import { formatPrizeDollars, prizeText } from '@handwise/contract/draws/prize';
import type { SiteSettings } from '@handwise/contract/site/settings';
import { formatOpening } from '@handwise/contract/draws/permits';
import { listNewlyUnmet, planPromotion, type PromotionSettings } from '@handwise/contract/tickets/promotion-rules';
import type { CSSProperties } from 'react';
import { Logo } from '../../ui/pictures/logo.tsx';
import styles from './settings-preview.module.css';

const isColour = (text: string) => /^#[\da-f]{6}$/i.test(text.trim());

const isPrize = (text: string) => /^[1-9]\d*$/.test(text.trim());

/** What the values that are being typed will look like. */
export function SettingsPreview({ values }: { values: SiteSettings }) {
  const tokens = isColour(values.accent) ? getAccentTokens(values.accent.trim().toLowerCase()).light : null;
  const colours = tokens && Object.fromEntries(Object.entries(tokens).map(([name, value]) => [`--${name}`, value]));
  // Over those of the page, whose logo may be another one.
  const logo = values.logo === '' ? { '--site-logo': 'none', '--built-in-mark': '1' } : getLogoTokens(values.logo);
  const lines = [
    values.legalName,
    values.legalAddress,
    values.nzbn && `NZBN ${values.nzbn}`,
    /[1-9]/.test(values.abn) && `ABN ${values.abn}`,
  ];
  return (
    <section className={styles.preview} aria-label="Preview" style={colours as CSSProperties}>
      <p className="muted">Preview</p>
      <p style={{ ...logo, ...(tokens && { '--logo-tile': tokens.accent }) } as CSSProperties}>
        <Logo name={values.name || '…'} />
      </p>
      <p>
        <span className={styles.button}>Search</span> <span className={styles.link}>See all services</span>
      </p>
      <p className="muted">
        Emails come from {values.name} &lt;{values.senderEmail}&gt; and end with:
        <br />
        {lines.filter(Boolean).join(', ')} · {values.supportEmail}
      </p>
      {isPrize(values.prize) && formatPrizeDollars(Number(values.prize)) !== prizeText() && (
        <p className="muted">
          The draw that runs pays {prizeText()}, as announced; those after it pay {formatPrizeDollars(Number(values.prize))}.
        </p>
      )}
    </section>
  );
}

type UnmetProps = {
  values: PromotionSettings;
  before: PromotionSettings;
  isAccepted: boolean;
  error: string | undefined;
  onChange: (yes: boolean) => void;
};

/** What states and countries ask for that a new prize, or one without its permit, would not meet, and the administrator’s yes to it. */
export function NewlyUnmet({ values, before, isAccepted, error, onChange }: UnmetProps) {
  const trimmed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()])) as PromotionSettings;
  const unmet = isPrize(trimmed.prize) ? listNewlyUnmet(trimmed, before) : [];
  if (unmet.length === 0) return null;
  const { leftOut } = planPromotion(trimmed);
  const id = 'field-settings-acceptsUnmet';
  return (
    <section className={styles.preview} aria-label="Rules of promotions">
      <p>With a prize of {formatPrizeDollars(Number(trimmed.prize))} each month, the draws that follow would not meet:</p>
      <ul>
        {unmet.map(({ place, what }) => (
          <li key={`${place} ${what}`}>
            {place}: {what}
          </li>
        ))}
      </ul>
      {leftOut.length > 0 && <p>{formatOpening({ permits: [], leftOut })}</p>}
      <label>
        <input
          id={id}
          type="checkbox"
          checked={isAccepted}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-problem` : undefined}
          onChange={({ target }) => onChange(target.checked)}
        />{' '}
        Set it all the same
      </label>
      {error && (
        <p id={`${id}-problem`} className={styles.problem}>
          Say yes to this, choose a smaller prize, or name the permits
        </p>
      )}
    </section>
  );
}
