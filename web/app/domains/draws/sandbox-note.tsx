import type { PublicDraw } from '@handwise/contract/draws/calls';
import styles from './sandbox-note.module.css';

/** Shown with every draw that uses the sandbox's randomness. */
export function SandboxNote({ draw, short = false }: { draw: Pick<PublicDraw, 'round'>; short?: boolean }) {
  if (draw.round?.chain !== 'sandbox') return null;
  return (
    <p className={styles.note}>
      <strong>NOT A REAL DRAW</strong>
      {!short && ' This site is a sandbox: its random number comes from a stand-in whose key everybody knows.'}
    </p>
  );
}
