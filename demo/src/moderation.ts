import type { NumberedRow } from './conversations.ts';
import type { DemoListing } from './listings.ts';
import type { UserRow } from './people.ts';
import type { Random } from './random.ts';
import type { ReviewRow } from './reviews.ts';

type Kind = 'listing' | 'review' | 'message' | 'user';
type Subject = { kind: Kind; subject_id: string; concerned_id: string; title: string; words: string; listing_id: string | null };
type ReportRow = Subject & {
  id: string;
  reporter_id: string;
  reason: string;
  comment: string;
  created_at: string;
  decision_id: string | null;
};
type DecisionRow = {
  id: string;
  kind: string;
  about_kind: Kind;
  about_id: string;
  about_title: string;
  about_listing_id: string | null;
  concerned_id: string;
  decided_by: string;
  reason: string;
  created_at: string;
};
type AppealRow = { id: string; decision_id: string; words: string; created_at: string };

const hour = 3_600_000;

type Input = {
  listings: readonly DemoListing[];
  reviews: readonly ReviewRow[];
  messages: readonly NumberedRow[];
  conversations: readonly { id: string; listing_id: string; buyer_id: string; seller_id: string }[];
  people: readonly UserRow[];
  seller: UserRow;
  /** A second administrator, so that each can decide appeals against the other's decisions. */
  colleague: UserRow;
  today: number;
};

/** Open reports of each kind, one dismissed report, and a warning with an open appeal. */
export function makeModeration(random: Random, newId: () => string, input: Input) {
  const { listings, reviews, messages, conversations, people, seller, colleague, today } = input;
  const before = (hours: number) => new Date(today - hours * hour).toISOString();
  const titles = new Map(listings.map(({ row }) => [row.id, row.service_title]));

  const randomListing = () => {
    const { row } = random.pick(listings.filter((one) => one.row.status === 'active' && one.row.seller_id !== seller.id));
    return ofListing(row);
  };
  const ofListing = (row: DemoListing['row']): Subject => ({
    kind: 'listing',
    subject_id: row.id,
    concerned_id: row.seller_id,
    title: row.service_title,
    words: `${row.business_title}\n${row.service_description}`,
    listing_id: row.id,
  });
  const ofReview = (review: ReviewRow): Subject => ({
    kind: 'review',
    subject_id: review.id,
    concerned_id: review.author_id,
    title: `Review of “${titles.get(review.listing_id) ?? ''}”`,
    words: `${review.rating} of 5 stars\n${review.comment}`,
    listing_id: review.listing_id,
  });
  const report = (thing: Subject, reporter: UserRow, hours: number, reason: string, comment: string): ReportRow => ({
    ...thing,
    id: newId(),
    reporter_id: reporter.id,
    reason,
    comment,
    created_at: before(hours),
    decision_id: null,
  });
  const randomReporter = (thing: Subject) => random.pick(people.filter((one) => one.id !== thing.concerned_id));
  const decide = (thing: Subject, kind: string, hours: number, reason: string): DecisionRow => ({
    id: newId(),
    kind,
    about_kind: thing.kind,
    about_id: thing.subject_id,
    about_title: thing.title,
    about_listing_id: thing.listing_id,
    concerned_id: thing.concerned_id,
    decided_by: colleague.id,
    reason,
    created_at: before(hours),
  });

  const [borrowed, lapsed, fine] = [randomListing(), randomListing(), randomListing()];
  const unhappy = random.pick(reviews.filter((one) => one.rating === 1));
  const praise = random.pick(reviews.filter((one) => one.rating === 5));
  // The demo seller's customer wrote it.
  const conversation = conversations.find((one) => one.seller_id === seller.id);
  const message = messages.find((one) => one.conversation_id === conversation?.id && !one.from_seller);
  const ofSeller = listings.find((one) => one.row.seller_id === seller.id && one.row.status === 'active');
  if (!conversation || !message || !ofSeller) throw new Error('the demo seller has no conversation and no listing');
  const written: Subject = {
    kind: 'message',
    subject_id: message.id,
    concerned_id: conversation.buyer_id,
    title: `Message about “${titles.get(conversation.listing_id) ?? ''}”`,
    words: message.body,
    listing_id: conversation.listing_id,
  };
  const person = random.pick(people);
  const account: Subject = {
    kind: 'user',
    subject_id: person.id,
    concerned_id: person.id,
    title: `@${person.username}`,
    words: '',
    listing_id: null,
  };

  const dismissal = decide(fine, 'dismiss', 70, 'The licence is on the public register, and it is theirs.');
  const warning = decide(
    ofListing(ofSeller.row),
    'warn',
    50,
    'The description names a guarantee that we could not find anywhere. Please say where customers can read its terms.',
  );
  return {
    reports: [
      report(borrowed, randomReporter(borrowed), 60, 'misleading', 'Two of these photos are from another company’s website.'),
      report(borrowed, randomReporter(borrowed), 31, 'not_genuine', 'Nobody at this number has heard of them.'),
      report(lapsed, randomReporter(lapsed), 44, 'illegal', 'They told me on the phone that they have no licence any more.'),
      report(ofReview(unhappy), randomReporter(ofReview(unhappy)), 27, 'not_genuine', 'We have no job with this customer in our books.'),
      report(ofReview(praise), randomReporter(ofReview(praise)), 22, 'not_genuine', 'This is the owner’s brother-in-law.'),
      report(written, seller, 12, 'spam', 'The same text came three times.'),
      report(account, randomReporter(account), 6, 'offensive', 'Was rude on the phone and in writing.'),
      { ...report(fine, randomReporter(fine), 90, 'illegal', 'Are they licensed at all?'), decision_id: dismissal.id },
      {
        ...report(ofListing(ofSeller.row), randomReporter(ofListing(ofSeller.row)), 72, 'misleading', 'What guarantee?'),
        decision_id: warning.id,
      },
    ],
    decisions: [dismissal, warning],
    appeals: [
      {
        id: newId(),
        decision_id: warning.id,
        words: 'The terms are on the back of every invoice, and I am happy to put them on our website as well.',
        created_at: before(20),
      } satisfies AppealRow,
    ],
  };
}
