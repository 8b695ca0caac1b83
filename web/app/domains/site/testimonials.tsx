import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import styles from './testimonials.module.css';

const shownMs = 5000;

const colors = ['#0EA5E9', '#A855F7', '#10B981'];

/** Whether the pointer or the focus is within. */
function useAttention(element: RefObject<HTMLElement | null>): boolean {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  useEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const end = new AbortController();
    const { signal } = end;
    watched.addEventListener('pointerenter', () => setPointed(true), { signal });
    watched.addEventListener('pointerleave', () => setPointed(false), { signal });
    watched.addEventListener('focusin', () => setFocused(true), { signal });
    watched.addEventListener('focusout', (event) => setFocused(watched.contains(event.relatedTarget as Node | null)), { signal });
    return () => end.abort();
  }, [element]);
  return pointed || focused;
}

type Testimonial = { text: string; name: string; about: string; to: string };

/** Voices of customers, each for five seconds. They stand still while one reads them, and for people who asked for less motion. */
export function Testimonials({ testimonials }: { testimonials: readonly Testimonial[] }) {
  const [current, setCurrent] = useState(0);
  const [paused, setPaused] = useState(false);
  const carousel = useRef<HTMLDivElement>(null);
  const resting = useAttention(carousel);
  const stillByChoice = useRef(false);

  useEffect(() => {
    if (!stillByChoice.current && matchMedia('(prefers-reduced-motion: reduce)').matches) setPaused(true);
  }, []);
  const running = !paused && !resting;
  useEffect(() => {
    if (!running) return;
    // Counted from the last change, so that a dot pressed late in the five seconds still gives five.
    const timer = setTimeout(() => setCurrent((current + 1) % testimonials.length), shownMs);
    return () => clearTimeout(timer);
  }, [running, current, testimonials.length]);

  return (
    <div ref={carousel} className={styles.carousel} role="group" aria-roledescription="carousel" aria-label="What customers say">
      <div className={styles.slides} aria-live={running ? 'off' : 'polite'}>
        {testimonials.map((one, index) => (
          <figure key={one.to} className={styles.slide} data-shown={index === current || undefined} inert={index !== current}>
            <blockquote>{one.text}</blockquote>
            <figcaption>
              <Avatar name={one.name} color={colors[index % colors.length]} size={44} />
              <span>
                <strong>{one.name}</strong>
                <Link className={styles.trade} to={one.to}>
                  about {one.about}
                </Link>
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
      <div className={styles.controls}>
        <button
          type="button"
          className={styles.pause}
          aria-label={paused ? 'Play testimonials' : 'Pause testimonials'}
          onClick={() => {
            stillByChoice.current = true;
            setPaused(!paused);
          }}
        >
          {paused ? (
            <IconPlayerPlay size={20} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconPlayerPause size={20} stroke={1.75} aria-hidden="true" />
          )}
        </button>
        {testimonials.map((one, index) => (
          <button
            key={one.to}
            type="button"
            className={styles.dot}
            aria-label={`Testimonial ${index + 1} of ${testimonials.length}`}
            aria-current={index === current || undefined}
            onClick={() => setCurrent(index)}
          />
        ))}
      </div>
    </div>
  );
}
