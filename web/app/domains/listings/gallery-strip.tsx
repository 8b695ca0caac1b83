import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import styles from './gallery.module.css';

/** Which picture is shown. */
export const Counter = ({ index, total }: { index: number; total: number }) => (
  <p className={styles.counter}>
    {index + 1} / {total}
  </p>
);

/** Over a photo that came with a review; its text for screen readers says the same. */
export const FromCustomer = () => (
  <p className={styles.customer} aria-hidden="true">
    From a customer
  </p>
);

type StepButtonsProps = { onStep: (step: 1 | -1) => void; onKeyDown?: (event: KeyboardEvent) => void };

/** Buttons to the previous and the next picture. */
export const StepButtons = ({ onStep, onKeyDown }: StepButtonsProps) => (
  <>
    <button
      type="button"
      className={styles.step}
      data-side="left"
      aria-label="Previous photo"
      onClick={() => onStep(-1)}
      onKeyDown={onKeyDown}
    >
      <IconChevronLeft size={24} stroke={1.75} aria-hidden="true" />
    </button>
    <button type="button" className={styles.step} data-side="right" aria-label="Next photo" onClick={() => onStep(1)} onKeyDown={onKeyDown}>
      <IconChevronRight size={24} stroke={1.75} aria-hidden="true" />
    </button>
  </>
);

/** A strip that snaps from picture to picture: fingers swipe it, buttons and arrow keys scroll it, and links reach a picture without script. */
export function useStrip(length: number, start = 0) {
  const strip = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(start);
  const measure = () => {
    const element = strip.current;
    if (element && element.clientWidth > 0) setIndex(Math.min(length - 1, Math.round(element.scrollLeft / element.clientWidth)));
  };
  const show = (next: number, behavior: ScrollBehavior = 'auto') => {
    const element = strip.current;
    element?.scrollTo({ left: ((next + length) % length) * element.clientWidth, behavior });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(index + step);
  };
  return { strip, index, measure, show, onKeyDown };
}
