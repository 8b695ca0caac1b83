import type { FoundListing, FoundReview } from '@handwise/contract/admin/search';
import { decisionKinds, type Measure, opposites, type ReportKind } from '@handwise/contract/admin/report-words';
import { useQuery } from '@tanstack/react-query';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { decisions, useDecision } from './admin-queries.ts';
import { DecisionForm } from './decision-form.tsx';
import { UndoForm } from './undo-form.tsx';

export type DecidedAbout = { kind: ReportKind; id: string; title: string; concernedId: string };

export const aboutListing = (listing: FoundListing): DecidedAbout => ({
  kind: 'listing',
  id: listing._id,
  title: listing.serviceTitle,
  concernedId: listing.seller._id,
});

// As its author reads it.
export const aboutReview = ({ _id: id, listing, author }: FoundReview): DecidedAbout => ({
  kind: 'review',
  id,
  title: `Review of “${listing.serviceTitle}”`,
  concernedId: author._id,
});

/** Decides on content without a report, or reverses a decision about it. */
export function DecideDialog({ about, onClose }: { about: DecidedAbout | null; onClose: () => void }) {
  return (
    <Dialog open={about !== null} onClose={onClose} title={about ? `Decide about ${about.title}` : 'Decide'}>
      {about && <Decide about={about} onClose={onClose} />}
    </Dialog>
  );
}

function Decide({ about, onClose }: { about: DecidedAbout; onClose: () => void }) {
  const decision = useDecision();
  const { data } = useQuery(decisions({ concerned: about.concernedId, limit: '100' }));
  if (!data) return <LoadingView />;
  const standing = data.decisions.filter(
    (one) => one.about.id === about.id && !one.undone && one.decision in opposites && one.decision !== 'dismiss',
  );
  return (
    <>
      {standing.map((one) => (
        <section key={one._id}>
          <p>
            <strong>{decisionKinds[one.decision].name}</strong>: {one.reason}
          </p>
          <UndoForm id={one._id} decision={one.decision as Measure} title={about.title} onDone={onClose} />
        </section>
      ))}
      <DecisionForm
        kind={about.kind}
        title={about.title}
        without="dismiss"
        send={async (body) => {
          await decision.mutateAsync({ body: { ...body, kind: about.kind, id: about.id } });
          onClose();
        }}
      />
    </>
  );
}
