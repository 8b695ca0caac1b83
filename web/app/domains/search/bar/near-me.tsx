import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import styles from './near-me.module.css';
import type { CountryCode } from '@handwise/contract/markets';

type NearMeProps = {
  /** Receives "lat,lon" with two decimals, the format of a search. */
  onPosition: (near: string) => void;
  /** Whether to request the position without a press, because the search is by distance. */
  locatesAtOnce?: boolean;
  /** What is shown without a position, such as "New Zealand". */
  instead: string;
  onRejected?: () => void;
};

const longestWaitMs = 10_000;

/**
 * Requests the browser's position on a press or for the search, never otherwise. It is rounded here, stored nowhere, and passed only to
 * `onPosition`. Failures are explained.
 */
export function NearMe({ onPosition, locatesAtOnce = false, instead, onRejected }: NearMeProps) {
  const [state, setState] = useState<'idle' | 'locating' | PositionProblem>('idle');
  const mounted = useRef(false);
  const unanswered = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
      clearTimeout(unanswered.current);
    };
  }, []);

  function reject(problem: PositionProblem) {
    setState(problem);
    onRejected?.();
  }
  const atOnce = useRef(locate);
  useEffect(() => {
    if (locatesAtOnce) atOnce.current();
  }, [locatesAtOnce, atOnce]);

  function locate() {
    // Browsers offer geolocation on secure pages only.
    if (!('geolocation' in navigator)) return reject('unavailable');
    setState('locating');
    // The browser's own limit does not run while its question is unanswered.
    clearTimeout(unanswered.current);
    unanswered.current = setTimeout(() => mounted.current && reject('unanswered'), longestWaitMs + 2_000);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        clearTimeout(unanswered.current);
        if (!mounted.current) return;
        const near = formatPosition(coords);
        if (near === null) return reject('elsewhere');
        setState('idle');
        onPosition(near);
      },
      ({ code }) => {
        clearTimeout(unanswered.current);
        if (mounted.current) reject(getPositionProblem(code));
      },
      // A rough position of the last five minutes is enough.
      { enableHighAccuracy: false, timeout: longestWaitMs, maximumAge: 300_000 },
    );
  }

  return (
    <div className={styles.nearMe}>
      <Button kind="secondary" size="sm" type="button" busy={state === 'locating'} onClick={locate}>
        {state === 'locating' ? 'Finding where you are…' : 'Near me'}
      </Button>
      <p className={styles.problem} role="status">
        {state !== 'idle' && state !== 'locating' && `${positionProblems[state]} Showing ${instead}.`}
      </p>
    </div>
  );
}

// Two decimals are about a kilometre: enough for distances, too coarse for a house.
const rounded = (degrees: number) => degrees.toFixed(2);

type Bounds = { south: number; north: number; west: number; east: number };
// New Zealand, its Chatham Islands beyond 180°, and Australia, each with some sea around it.
const countries: readonly Bounds[] = [
  { south: -48, north: -33.5, west: 165.5, east: 180 },
  { south: -45, north: -43, west: -178, east: -175 },
  { south: -44.5, north: -9, west: 112, east: 155 },
];

/** A position in the format of a search, "lat,lon" with two decimals; null outside both countries. */
export function formatPosition({ latitude, longitude }: { latitude: number; longitude: number }): string | null {
  const isHere = countries.some(
    ({ south, north, west, east }) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  );
  return isHere ? `${rounded(latitude)},${rounded(longitude)}` : null;
}

// Duplicated here, because importing the markets' table would also load the schema library.
export const countryNames: Record<CountryCode, string> = { NZ: 'New Zealand', AU: 'Australia' };

/** The country by the time zone; null outside both. */
export const countryOfTimeZone = (zone: string): CountryCode | null =>
  zone.startsWith('Australia/') ? 'AU' : /^Pacific\/(Auckland|Chatham)$/.test(zone) ? 'NZ' : null;

const instead = 'Type a town or suburb instead.';

/** The problems with a position, by the codes of the browser's `GeolocationPositionError`. */
export const positionProblems = {
  denied: `Your browser’s settings do not let this site ask where you are. ${instead}`,
  unavailable: `Your device cannot say where it is right now. ${instead}`,
  tooSlow: `Finding out where you are is taking too long. Try again, or type a town or suburb.`,
  unanswered: `Your browser has asked whether this site may know where you are. Answer it, or type a town or suburb.`,
  elsewhere: `You seem to be outside New Zealand and Australia. ${instead}`,
} as const;

type PositionProblem = keyof typeof positionProblems;

export const getPositionProblem = (code: number): PositionProblem => (code === 1 ? 'denied' : code === 3 ? 'tooSlow' : 'unavailable');
