import { counted } from '@handwise/contract/numbers';
import { renewalDays } from '@handwise/contract/plans/renewal';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { site } from '@handwise/contract/site/site';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/how-to-stop';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'How to stop',
    description: `How to end a plan, a listing, our emails or your whole ${site.name} account. Each takes a minute, and nobody will try to talk you out of it.`,
    path: paths.howToStop,
  });

export default function HowToStopPage() {
  return (
    <Prose title="How to stop" updated="Nov 29, 2026">
      <p>Leaving should be as easy as joining. Here is how to end each thing, what happens then, and what does not.</p>

      <h2>A plan</h2>
      <p>
        There is nothing to cancel. A plan is paid for once, runs for {subscriptionDays} days and then ends. It does not renew by itself,
        and your card is not charged again unless you choose a plan and pay for it, or have switched its renewal on.
      </p>

      <h2>A renewal</h2>
      <p>
        Open <Link to={paths.ownListings}>My Listings</Link>, find the plan and choose “Switch off renewal”. One tap is enough, at any time
        before the charge, which is {renewalDays.charge} days before the plan ends. We confirm it by email, and nothing more is charged. The
        plan and its listings run to the end of what you have paid for; then the listings leave the search, are kept as they are, and can be
        brought back with a new plan.
      </p>
      <p>
        A renewal also ends by itself if you change the plan, if its payment is refunded, if you delete your account or if the account is
        suspended. We email you {renewalDays.notice} days before the end with the amount, the card and the date. If the card can’t be
        charged, we tell you, try again {renewalDays.retries[0]} days and {counted(renewalDays.retries[1], 'day')} before the end, and then
        the plan ends. Without a card that can be charged, we don’t try again, and tell you that a new one is needed. A higher price is
        never charged without a new yes from you.
      </p>

      <h2>A listing</h2>
      <p>
        Open <Link to={paths.ownListings}>My Listings</Link>, find the listing and choose “Deactivate”. It leaves the search straight away.
        While its plan runs, you can bring it back at no cost.
      </p>

      <h2>A saved card</h2>
      <p>
        Open <Link to={paths.cards}>Payment</Link> in your account and remove the card. The payment provider forgets it too.
      </p>

      <h2>Emails</h2>
      <p>
        Every email you can do without has a link at its foot that stops that kind of email, or pauses that one alert, with one click and
        without signing in. Your account lists them all. Receipts, notices that a plan is ending and news of changes to your sign-in still
        come, because you would miss them.
      </p>

      <h2>Messages from somebody</h2>
      <p>
        Open the conversation, then its menu, and choose “Stop messages”. That person cannot write to you there any more and is told so. If
        somebody harasses you, report it as well: a person looks at every report.
      </p>

      <h2>Your account</h2>
      <p>
        Open <Link to={paths.account}>your account</Link> and go to “Delete your account”. Under “Your data”, above it, you can download a
        copy of everything first. Deleting your account signs you out everywhere, ends your listings straight away and removes your profile;
        plans that are still running are not refunded. Payment records stay, with no more about you than the tax laws of New Zealand and
        Australia require. It cannot be undone.
      </p>

      <h2>Something else</h2>
      <p>
        Write to us on the <Link to={paths.contact}>contact page</Link> or at{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>.
      </p>
    </Prose>
  );
}
