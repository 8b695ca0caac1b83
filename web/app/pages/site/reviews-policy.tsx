import { site } from '@handwise/contract/site/site';
import { bestCredit, bestScore, meanWithoutReviews } from '@handwise/contract/reviews/best-rating';
import { paths } from '@handwise/contract/paths';
import { removalReasons, reviewEditWeeks } from '@handwise/contract/reviews/words';
import { inWords } from '@handwise/contract/numbers';
import { maxSharedPhotos } from '@handwise/contract/pictures';
import { maxPaidPlacements } from '@handwise/contract/search/filters';
import { Link } from 'react-router';
import { getLedgerData } from '../../domains/reviews/review-ledger-data.server.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/reviews-policy';
import styles from './reviews-policy.module.css';
import type { LedgerView } from '../../domains/reviews/review-ledger-view.ts';

export const loader = ({ context }: Route.LoaderArgs) => getLedgerData(context.get(serverContext));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'How reviews work',
    description: `Who can write a review on ${site.name}, what we know about each one, what can happen to it, and what has become of all of them so far.`,
    path: paths.reviewsPolicy,
  });

const score = (counts: readonly number[]) => bestScore(counts, 4.4).toFixed(2);

export default function ReviewsPolicyPage({ loaderData }: Route.ComponentProps) {
  return (
    <Prose title="How reviews work" updated="Nov 30, 2026">
      <p>
        A review is one person’s word about one business. This page says who can write one, what is shown beside it, what can happen to it,
        and what has become of all of them so far.
      </p>

      <h2>Who can write one</h2>
      <p>
        Anyone with an account and a confirmed email address can write one review of each listing, but never of their own. You agree on the
        work and pay for it without us, so we cannot ask for a receipt. Instead we show what we do know.
      </p>
      <p>
        Nobody gets anything for a review. Kind or not, it earns no ticket, free month, discount or better place in a list, and businesses
        must not reward reviews either.
      </p>
      <p>
        A review can have up to {inWords(maxSharedPhotos)} photos of the work. They also show among the photos of the listing, marked as a
        customer’s.
      </p>

      <h2>What is shown beside it</h2>
      <ul>
        <li>
          <strong>“Messaged here on Mar 12, 2026, answered in 2 hours”:</strong> the author wrote to the business about this listing, and
          this is how long the first answer took.
        </li>
        <li>
          <strong>“Messaged here on Mar 12, 2026, no answer yet”:</strong> the author wrote, and the business has not answered here.
        </li>
        <li>
          <strong>“Accepted a quote here on Mar 20, 2026”:</strong> the author accepted a quote of the business for this listing.
        </li>
        <li>
          <strong>“No contact through {site.name}”:</strong> the two have had no conversation here about this listing. That does not make a
          review a lie: many people ring, or meet on the job.
        </li>
      </ul>
      <p>
        We work this out from their messages each time the review is shown, so it changes if they write to each other later. We show that
        there was a conversation and when, never what was said in it. Dates are in the time zone of the business’s region.
      </p>

      <h2>Whom we ask for one</h2>
      <p>
        We email every customer once, all alike: ten days after the work of an accepted quote starts or, where no day was agreed, fourteen
        days after the last message, if both have written at least twice. Only those who have reviewed or reported the business already are
        left out, and anyone can stop these emails with one tap. The business chooses nobody.
      </p>

      <h2>Stars</h2>
      <p>
        The average is the plain mean of all published reviews of a listing. None is left out, none counts for more, and the newest come
        first.
      </p>

      <h2 id="best">The order “Best”</h2>
      <p>
        A list of one kind of service can be shown in the order “Best”. It goes by a score that is the same for everybody and that no plan
        changes:
      </p>
      <p>
        <strong>
          score = ({bestCredit} × average of the category + sum of the listing’s stars) ÷ ({bestCredit} + number of its reviews)
        </strong>
      </p>
      <p>
        So each listing starts with {bestCredit} reviews that gave the average of all reviews of its category, in New Zealand and Australia
        together: to one decimal, and as it was last night. A category without reviews counts with {meanWithoutReviews}. Where that is 4.4,
        a listing with a single review of 5 stars has {score([0, 0, 0, 0, 1])}, one without any 4.40, and one with 35 reviews of 5 and 10 of
        4 stars {score([0, 0, 0, 10, 35])}: many good reviews count for more than one perfect one. Listings with equal scores are in the
        usual order.
      </p>
      <p>
        A search can be shown in the same order, as “Best rated”. There, up to {maxPaidPlacements} featured listings come before all others,
        and each of them says that its place is paid for.
      </p>

      <h2>Changing a review</h2>
      <p>
        Its author can change it for {reviewEditWeeks} weeks, and it then says “edited”. Earlier words are kept, and only our moderators can
        read them. The author can withdraw it at any time.
      </p>

      <h2>The answer of the business</h2>
      <p>
        A business can answer each review once, below it, for everybody to read. It cannot change or hide a review, and no plan it pays for
        does either.
      </p>

      <h2>Reports and removal</h2>
      <p>
        Anyone who is signed in can report a review. A person looks at every report and decides. A business not liking a review is not a
        reason to remove it; these are:
      </p>
      <ul>{Object.entries(removalReasons).map(([kind, sentence]) => kind !== 'withdrawn' && <li key={kind}>{sentence}</li>)}</ul>
      <p>
        The author is told why and can object. A removed review no longer counts, and a note stays in its place with the day and the kind of
        reason. The same goes for one that its author withdrew.
      </p>
      <p>
        If a review seems to come from the business itself, because both have used the same browser or card, we look at it without waiting
        for a report.
      </p>

      <h2>What has become of all reviews</h2>
      <p>
        Counted afresh from the reviews themselves, by the month in which they were written. Nothing is dropped from this table: a review
        removed today is counted in the month it was written.
      </p>
      <ReviewLedger ledger={loaderData} />

      <p>
        Is something not as this page says? <Link to={paths.contact}>Tell us</Link>.
      </p>
    </Prose>
  );
}

const Cells = ({ row }: { row: LedgerView['all'] }) => (
  <>
    <td>{row.received}</td>
    <td>{row.published}</td>
    <td>
      {row.removed}
      {row.reasons.map((reason) => (
        <span key={reason} className={styles.reason}>
          {reason}
        </span>
      ))}
    </td>
  </>
);

/** Received, published, removed and why, by month. */
const ReviewLedger = ({ ledger }: { ledger: LedgerView }) => (
  <table className={styles.ledger}>
    <caption className="visually-hidden">Reviews by the month in which they were written</caption>
    <thead>
      <tr>
        <th scope="col">Month</th>
        <th scope="col">Received</th>
        <th scope="col">Published</th>
        <th scope="col">Removed</th>
      </tr>
    </thead>
    <tbody>
      {ledger.months.map((row) => (
        <tr key={row.month}>
          <th scope="row">{row.name}</th>
          <Cells row={row} />
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">{ledger.all.name}</th>
        <Cells row={ledger.all} />
      </tr>
    </tfoot>
  </table>
);
