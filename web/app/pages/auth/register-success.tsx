import { site } from '@handwise/contract/site/site';
import { DrawOpening } from '../../ui/page/draw-opening.tsx';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { referralTickets } from '@handwise/contract/draws/prize';
import { useSearchParams } from 'react-router';
import { BackLink } from '../../domains/listings/back-link.tsx';
import { NewTicketBadge } from '../../domains/referrals/notifications/new-ticket-badge.tsx';
import { OwnCode } from '../../domains/referrals/own-code.tsx';
import { ShareCode } from '../../domains/referrals/share-code.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { getSafeRedirect } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { SuccessCard } from '../../ui/feedback/success-card.tsx';
import type { Route } from './+types/register-success';
import styles from './register-success.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Thanks for signing up',
    description: `Your ${site.name} account is ready.`,
    path: paths.registerSuccess,
    noIndex: true,
  });

const steps = [
  { title: 'Share the code', text: 'Send it to anyone with a trade, or a leaking tap.' },
  { title: 'Friends sign up', text: `They enter your code, and each of you gets ${counted(referralTickets.signup, 'draw ticket')}.` },
  {
    title: 'Earn rewards',
    text: `When a friend lists a business, choose a free month or ${counted(referralTickets.listing, 'draw entry', 'draw entries')}.`,
  },
];

export default function RegisterSuccessPage() {
  const { user } = useSession();
  const [search] = useSearchParams();
  const from = getSafeRedirect(search.get('redirect'));
  const hasOrigin = from !== paths.browse;
  const name = user?.fullName || 'New User';
  return (
    <SuccessCard title="Thanks for signing up!" intro={`Welcome, ${name}.`}>
      {user?.referralCode && (
        <>
          <OwnCode code={user.referralCode} />
          <ShareCode code={user.referralCode} senderName={user.fullName || user.name} />
        </>
      )}
      <section aria-labelledby="how-it-works">
        <h2 className={styles.heading} id="how-it-works">
          How It Works
        </h2>
        <ol className={styles.steps}>
          {steps.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}</strong>
              <span className="muted">{text}</span>
            </li>
          ))}
        </ol>
        <DrawOpening />
      </section>
      {hasOrigin && <BackLink to={from} />}
      <ButtonLink to={paths.browse} kind={hasOrigin ? 'secondary' : 'primary'} wide>
        Browse Pros near you
      </ButtonLink>
      <ButtonLink to={paths.referral} kind="secondary" wide>
        See your referrals
        <NewTicketBadge />
      </ButtonLink>
      <ButtonLink to={paths.addListing} kind="secondary" wide>
        Create a Listing
      </ButtonLink>
    </SuccessCard>
  );
}
