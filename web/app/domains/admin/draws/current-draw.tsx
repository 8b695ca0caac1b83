import type { AdminDraw } from '@handwise/contract/draws/admin';
import { count } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useState } from 'react';
import { Link } from 'react-router';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import styles from '../desk/admin.module.css';
import { failureText, useRunDraw } from './draw-queries.ts';
import { monthOf, periodOf, prizeOf, statusText } from './draw-words.ts';
import { WinnerCard } from './winner-card.tsx';

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** This month's draw: entries, winner, and the button that runs it early. */
export const CurrentDraw = ({ draw }: { draw: AdminDraw }) => (
  <section className={styles.section} aria-labelledby="current-draw">
    <h2 id="current-draw">Current Draw</h2>
    <dl className={styles.facts}>
      <Fact name="Month">{monthOf(draw)}</Fact>
      <Fact name="Status">
        <span role={draw.status === 'waiting' ? 'timer' : 'status'}>{statusText(draw)}</span>
      </Fact>
      <Fact name="Prize">{prizeOf(draw)}</Fact>
      <Fact name="Entries">{count(draw.totalEntries)}</Fact>
      <Fact name="Participants">{count(draw.totalParticipants)}</Fact>
      <Fact name="For everybody">
        <Link to={paths.draw(periodOf(draw))}>Its public page</Link>
      </Fact>
    </dl>
    {draw.status === 'completed' && <WinnerCard draw={draw} />}
    {draw.status === 'pending' && <RunDraw />}
    {draw.status === 'waiting' && <p className="muted">This page updates by itself. Nobody can choose another round.</p>}
  </section>
);

function RunDraw() {
  const [asking, setAsking] = useState(false);
  const run = useRunDraw();
  async function confirmed() {
    setAsking(false);
    try {
      await run.mutateAsync({ body: {} });
    } catch (error) {
      toast(failureText(error, 'Error running draw'), 'error');
    }
  }
  return (
    <>
      <p>The draw runs automatically on the last day of the month. It can also be run manually.</p>
      <div className={styles.actions}>
        <Button kind="danger" size="sm" busy={run.isPending} onClick={() => setAsking(true)}>
          {run.isPending ? 'Running Draw...' : 'Run Draw Now'}
        </Button>
      </div>
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Run Draw Now"
        actions={
          <>
            <Button kind="secondary" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button kind="danger" onClick={() => void confirmed()}>
              Run the draw
            </Button>
          </>
        }
      >
        <p>Are you sure you want to run the monthly draw? This will select a winner and cannot be undone.</p>
        <p>
          Its tickets are published straight away, with a round of public randomness that comes out about half a minute later. Tickets given
          after that are next month’s.
        </p>
      </Dialog>
    </>
  );
}
