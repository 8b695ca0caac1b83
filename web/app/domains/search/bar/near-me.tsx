import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import styles from './near-me.module.css';
import { nearOf, type PositionProblem, positionProblems, problemOfCode } from './position.ts';

type NearMeProps = {
  /** Gets "lat,lon" with two decimals, as a search takes it. */
  onPosition: (near: string) => void;
};

const longestWaitMs = 10_000;

/**
 * Asks the browser where it is, when it is pressed and never before. The position is rounded here, kept nowhere, and goes only where
 * `onPosition` takes it. Where there is none, it says why.
 */
export function NearMe({ onPosition }: NearMeProps) {
  const [state, setState] = useState<'idle' | 'asking' | PositionProblem>('idle');
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  function ask() {
    // Browsers have it on secure pages only.
    if (!('geolocation' in navigator)) return setState('unavailable');
    setState('asking');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (!mounted.current) return;
        const near = nearOf(coords);
        setState(near === null ? 'elsewhere' : 'idle');
        if (near !== null) onPosition(near);
      },
      ({ code }) => mounted.current && setState(problemOfCode(code)),
      // A rough position is enough, and one of a few minutes ago as well.
      { enableHighAccuracy: false, timeout: longestWaitMs, maximumAge: 300_000 },
    );
  }

  return (
    <div className={styles.nearMe}>
      <Button kind="secondary" size="sm" type="button" busy={state === 'asking'} onClick={ask}>
        {state === 'asking' ? 'Finding where you are…' : 'Near me'}
      </Button>
      <p className={styles.problem} role="status">
        {state !== 'idle' && state !== 'asking' && positionProblems[state]}
      </p>
    </div>
  );
}
