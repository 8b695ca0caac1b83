import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import styles from './testimonials.module.css';

const shownMs = 5000;

const testimonials = [
  {
    text: 'I put the listing up on a Sunday night. By Wednesday I had three bathrooms to quote, and nobody had taken a cut.',
    name: 'Tāne W.',
    trade: 'Plumber, Whangārei',
    color: '#0EA5E9',
  },
  {
    text: 'People write with a photo of the wall and the size of the room. I can tell in a minute whether the job is for us.',
    name: 'Priya S.',
    trade: 'House painter, Geelong',
    color: '#A855F7',
  },
  {
    text: 'Most of my regulars found me through the reviews. I answer on the phone between two lawns, and that is all the office I have.',
    name: 'Mereana K.',
    trade: 'Gardener, Taupō',
    color: '#10B981',
  },
];

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

/** Three voices, each for five seconds. They stand still while one reads them, and for people who asked for less motion. */
export function Testimonials() {
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
  }, [running, current]);

  return (
    <div ref={carousel} className={styles.carousel} role="group" aria-roledescription="carousel" aria-label="What businesses say">
      <div className={styles.slides} aria-live={running ? 'off' : 'polite'}>
        {testimonials.map((one, index) => (
          <figure key={one.name} className={styles.slide} data-shown={index === current || undefined} aria-hidden={index !== current}>
            <blockquote>{one.text}</blockquote>
            <figcaption>
              <Avatar name={one.name} color={one.color} size={44} />
              <span>
                <strong>{one.name}</strong>
                <span className={styles.trade}>{one.trade}</span>
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
            key={one.name}
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
