import { brandName } from '@handwise/contract/payments/card-brands';
import styles from './brand-mark.module.css';

// Simple drawings of our own: enough to recognise a card beside its name.
const marks: Record<string, React.ReactNode> = {
  visa: (
    <>
      <path fill="#1a1f71" d="M0 0h38v24H0z" />
      <path
        fill="#fff"
        d="M13.6 8l-2.8 8H8.9L7.5 9.9c-.1-.4-.2-.5-.5-.6L5 8.6V8h3.2c.4 0 .8.3.9.8l.8 4.2L11.8 8zm1.9 0h1.8l-1.5 8H14zm7.6 1.7c-.5-.2-1-.3-1.6-.3-.7 0-1.1.3-1.1.6 0 .9 3 1 3 3.3 0 1.6-1.4 2.8-3.6 2.8-.9 0-1.8-.2-2.3-.4l.4-1.6c.6.3 1.2.4 1.9.4.7 0 1.2-.3 1.2-.8 0-.9-2.9-1-2.9-3.2 0-1.5 1.4-2.6 3.3-2.6.8 0 1.5.2 2 .3zm6 6.3l-.2-1h-2.4l-.4 1h-2l2.9-7.2c.2-.5.6-.8 1.1-.8h1.5l1.5 8zm-1.7-2.5h1.3L28.1 11z"
      />
    </>
  ),
  mastercard: (
    <>
      <path fill="#22272b" d="M0 0h38v24H0z" />
      <circle cx="15" cy="12" r="7.5" fill="#eb001b" />
      <circle cx="23" cy="12" r="7.5" fill="#f79e1b" />
      <path fill="#ff5f00" d="M19 5.65a7.5 7.5 0 010 12.7 7.5 7.5 0 010-12.7z" />
    </>
  ),
  amex: (
    <>
      <path fill="#1f72cd" d="M0 0h38v24H0z" />
      <path
        fill="none"
        stroke="#fff"
        strokeWidth="1.5"
        d="M5 15.5L7.7 8.5h1.2l2.7 7M6 13.2h4.6M13.5 15.5v-7l3 4.5 3-4.5v7M27 8.5h-4.5v7H27M22.5 12H26.5M28.5 8.5l5 7M33.5 8.5l-5 7"
      />
    </>
  ),
  diners: (
    <>
      <path fill="#0b5a8f" d="M0 0h38v24H0z" />
      <circle cx="19" cy="12" r="8" fill="#fff" />
      <path fill="#0b5a8f" d="M17.5 6.5a5.7 5.7 0 000 11zM20.5 6.5a5.7 5.7 0 010 11z" />
    </>
  ),
  discover: (
    <>
      <path fill="#f4f4f2" d="M0 0h38v24H0z" />
      <path fill="#f47216" d="M38 12v12H14c11-2 19-6.5 24-12z" />
      <circle cx="20" cy="10" r="4" fill="#f47216" />
    </>
  ),
  jcb: (
    <>
      <path fill="#f4f4f2" d="M0 0h38v24H0z" />
      <path fill="#0e4c96" d="M9 7a3 3 0 013-3h3v13a3 3 0 01-3 3H9z" />
      <path fill="#c8102e" d="M16 7a3 3 0 013-3h3v13a3 3 0 01-3 3h-3z" />
      <path fill="#00843d" d="M23 7a3 3 0 013-3h3v13a3 3 0 01-3 3h-3z" />
    </>
  ),
  unionpay: (
    <>
      <path fill="#f4f4f2" d="M0 0h38v24H0z" />
      <path fill="#c8102e" d="M8 4h9l-3 16H7a2 2 0 01-2-2z" />
      <path fill="#00447c" d="M16 4h9l-3 16h-9z" />
      <path fill="#007b84" d="M24 4h8a2 2 0 012 2l-3 12a2 2 0 01-2 2h-8z" />
    </>
  ),
};

const anyCard = (
  <>
    <path className={styles.blank} d="M0 0h38v24H0z" />
    <path className={styles.stripe} d="M0 6h38v4H0z" />
    <path className={styles.stripe} d="M5 15h10v3H5z" />
  </>
);

/** A small picture of the card's brand; decorative unless `named`. */
export function BrandMark({ brand, named = false }: { brand: string; named?: boolean }) {
  const label = named ? { role: 'img', 'aria-label': brandName(brand) } : { 'aria-hidden': true };
  return (
    <svg {...label} className={styles.mark} viewBox="0 0 38 24" width="38" height="24" focusable="false">
      {marks[brand] ?? anyCard}
    </svg>
  );
}
