import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import styles from './near-me.module.css';
import { nearOf, type PositionProblem, positionProblems, problemOfCode } from './position.ts';

type NearMeProps = {
  /** Gets "lat,lon" with two decimals, as a search takes it. */
  onPosition: (near: string) => void;
  /** The search asks for what is near, so the position is asked for without a press. */
  asksAtOnce?: boolean;
  /** What is shown where there is no position: "New Zealand". */
  instead: string;
  onRefused?: () => void;
};

const longestWaitMs = 10_000;

/**
 * Asks the browser where it is, when it is pressed or the search says so, and never else. The position is rounded here, kept nowhere, and goes only where
 * `onPosition` takes it. Where there is none, it says why.
 */
export function NearMe({ onPosition, asksAtOnce = false, instead, onRefused }: NearMeProps) {
  const [state, setState] = useState<'idle' | 'asking' | PositionProblem>('idle');
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  function refuse(problem: PositionProblem) {
    setState(problem);
    onRefused?.();
  }
  const atOnce = useRef(ask);
  useEffect(() => {
    if (asksAtOnce) atOnce.current();
  }, [asksAtOnce, atOnce]);

  function ask() {
    // Browsers have it on secure pages only.
    if (!('geolocation' in navigator)) return refuse('unavailable');
    setState('asking');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (!mounted.current) return;
        const near = nearOf(coords);
        if (near === null) return refuse('elsewhere');
        setState('idle');
        onPosition(near);
      },
      ({ code }) => mounted.current && refuse(problemOfCode(code)),
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
        {state !== 'idle' && state !== 'asking' && `${positionProblems[state]} Showing ${instead}.`}
      </p>
    </div>
  );
}
