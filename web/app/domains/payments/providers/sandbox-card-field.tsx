import { type ChangeEvent, useId, useImperativeHandle, useState } from 'react';
import { TextField } from '../../../ui/forms/form-field.tsx';
import { BrandMark } from '../cards/brand-mark.tsx';
import { type CardFieldProps, type CardHandle, cardTexts } from './card-outcome-view.ts';
import { getDigits, formatExpiry, formatNumber, listCardProblems, getCardScheme, type TypedCard } from '../cards/card-number.ts';
import type { PaymentConfig } from '../payment-queries.ts';
import styles from './sandbox-card-field.module.css';
import { collectCard, ProviderError } from './sandbox-provider.ts';

const testCards = [
  { number: '4242 4242 4242 4242', does: 'Pays' },
  { number: '4000 0025 0000 3155', does: 'Asks your bank (3-D Secure)' },
  { number: '4000 0000 0000 3063', does: 'Sends you to your bank’s own page' },
  { number: '4000 0000 0000 0002', does: 'Is declined' },
  { number: '4000 0000 0000 9995', does: 'Has insufficient funds' },
] as const;

const nothing: TypedCard = { number: '', expiry: '', cvc: '' };
const fieldNames = ['number', 'expiry', 'cvc'] as const;

/** The caret's position in `text`, after as many digits as before the change. */
function caretAfter(text: string, digits: number): number {
  let index = 0;
  for (let seen = 0; index < text.length && seen < digits; index++) if (/\d/.test(text[index] ?? '')) seen++;
  return index;
}

/** The sandbox's replacement for the provider's field, which talks to the provider's stand-in. */
export function SandboxCardField({ config, ref, purpose, disabled = false }: CardFieldProps & { config: PaymentConfig }) {
  const id = useId();
  const [card, setCard] = useState(nothing);
  // Only visited fields show errors.
  const [left, setLeft] = useState<readonly (keyof TypedCard)[]>([]);
  const [now] = useState(() => new Date());
  const problems = listCardProblems(card, now);
  const scheme = getCardScheme(getDigits(card.number));

  function type(name: keyof TypedCard, format: (text: string, shrinking: boolean) => string) {
    return ({ target }: ChangeEvent<HTMLInputElement>) => {
      const text = format(target.value, target.value.length < card[name].length);
      const caret = target.selectionStart ?? target.value.length;
      const place = caret >= target.value.length ? text.length : caretAfter(text, getDigits(target.value.slice(0, caret)).length);
      // Set here too, because React sets it later and would move the caret to the end.
      target.value = text;
      target.setSelectionRange(place, place);
      const typed = { ...card, [name]: text };
      setCard(typed);
      // On to the next field, as in the provider's own form.
      const next = fieldNames[fieldNames.indexOf(name) + 1];
      const isComplete = place === text.length && text.length > card[name].length && listCardProblems(typed, now)[name] === null;
      if (next && isComplete && card[next] === '') document.getElementById(`${id}-${next}`)?.focus();
    };
  }

  useImperativeHandle(ref, (): CardHandle => ({
    async collect(billing) {
      const first = fieldNames.find((name) => problems[name] !== null);
      if (first) {
        setLeft(fieldNames);
        const isEmpty = fieldNames.every((name) => card[name] === '');
        return { error: isEmpty ? cardTexts.required : (problems[first] ?? cardTexts.required) };
      }
      try {
        return { token: await collectCard(config, { card, billing, purpose }) };
      } catch (error) {
        return { error: error instanceof ProviderError ? error.message : cardTexts.unexpected };
      }
    },
  }));

  const field = (name: keyof TypedCard) => ({
    // No `name`: even a form that the browser sends by itself carries nothing of the card.
    id: `${id}-${name}`,
    value: card[name],
    disabled,
    inputMode: 'numeric' as const,
    error: (left.includes(name) && problems[name]) || undefined,
    onBlur: () => card[name] !== '' && setLeft((before) => [...before, name]),
  });
  return (
    <div className={styles.field} role="group" aria-label="Card">
      <div className={styles.test}>
        <p>
          <strong>Test mode: no card is charged</strong>
        </p>
        <details>
          <summary>Test cards</summary>
          <ul className={styles.cards}>
            {testCards.map(({ number, does }) => (
              <li key={number}>
                <button
                  type="button"
                  className={styles.fill}
                  disabled={disabled}
                  onClick={() => {
                    setLeft([]);
                    setCard({ number, expiry: '12 / 34', cvc: '123' });
                  }}
                >
                  <span className="tabular">{number}</span>
                  <span className={styles.does}>{does}</span>
                </button>
              </li>
            ))}
          </ul>
        </details>
      </div>
      <div className={styles.number}>
        <TextField
          {...field('number')}
          label="Card number"
          placeholder="1234 1234 1234 1234"
          autoComplete="cc-number"
          onChange={type('number', formatNumber)}
        />
        <span className={styles.brand}>
          <BrandMark brand={scheme.brand} named={scheme.brand !== 'unknown'} />
        </span>
      </div>
      <div className={styles.pair}>
        <TextField
          {...field('expiry')}
          label="Expiry date"
          placeholder="MM / YY"
          autoComplete="cc-exp"
          onChange={type('expiry', formatExpiry)}
        />
        <TextField
          {...field('cvc')}
          label="Security code"
          placeholder={scheme.cvc === 4 ? '4 digits' : 'CVC'}
          autoComplete="cc-csc"
          onChange={type('cvc', (text) => getDigits(text).slice(0, scheme.cvc))}
        />
      </div>
    </div>
  );
}
