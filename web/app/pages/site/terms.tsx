import { counted } from '@handwise/contract/numbers';
import { DrawOpening } from '../../ui/page/draw-opening.tsx';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import { paths } from '@handwise/contract/paths';
import { closingText, prizeText, referralTickets } from '@handwise/contract/draws/prize';
import { Link } from 'react-router';
import { reminders } from '../../domains/plans/plan-words.ts';
import { useRootData } from '../../lib/root-data.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { site } from '@handwise/contract/site/site';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/terms';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Terms and conditions',
    description: `The rules of ${site.name} in plain words: accounts, listings, plans and payments, reviews, referrals and the monthly prize draw.`,
    path: paths.terms,
  });

export default function TermsPage() {
  const { operator } = useRootData();
  return (
    <Prose title="Terms and conditions" updated="Nov 22, 2026">
      <p>By using {site.name} you agree to these terms. We have kept them short enough to read.</p>

      <h2>What {site.name} is</h2>
      <p>
        {site.name} is a place where people find home and trade services and write to the businesses that offer them. The job itself is a
        contract between you and the business. We are not part of it: we do not set prices, take a commission, or carry out the work.
      </p>

      <h2>Accounts</h2>
      <p>
        You need to be 18 or older, or have a parent's consent, to open an account. Give your real name and an email address that you read.
        Keep your password to yourself. One person, one account. You can delete your account at any time, in its settings: see{' '}
        <Link to={paths.howToStop}>how to stop</Link>. We may suspend one that breaks these terms and will say why.
      </p>

      <h2>If you are looking for a service</h2>
      <p>
        Messaging is free. Check that the business holds the licence that the work requires, for example for electrical, gas or plumbing
        work, and agree on the price in writing before it begins. Your rights against the business come from the Consumer Guarantees Act
        1993 and the Fair Trading Act 1986 in New Zealand, and from the Australian Consumer Law in Australia. Nothing here takes them away.
      </p>

      <h2>If you list a business</h2>
      <ul>
        <li>
          What you publish must be true, yours to publish, and about services that you really offer, with the licences and insurance they
          require.
        </li>
        <li>Photos must show your own work, or be yours to use. You let us show them as part of the listing.</li>
        <li>People write to you about a job. Use their address for that, and not for advertising.</li>
        <li>We may take down a listing that misleads or breaks the law, and will tell you the reason.</li>
      </ul>

      <h2>Plans and payments</h2>
      <ul>
        <li>
          A plan is a subscription of {subscriptionDays} days with a number of listings:{' '}
          {Object.values(plans)
            .map(({ name, slots }) => `${name} ${slots === 1 ? slots : `up to ${slots}`}`)
            .join(', ')}
          . Prices include GST and are in the currency of the listing's country.
        </li>
        <li>A listing ends with its subscription. {reminders}. Nothing renews by itself unless you have switched that on.</li>
        <li>
          If you switch a renewal on, the card you chose is charged every {subscriptionDays} days at the price you agreed to, until you
          switch it off. See <Link to={paths.howToStop}>how to stop</Link>.
        </li>
        <li>
          If you change to another plan, the unused whole days of the old one come off the price, and a new {subscriptionDays} days begin.
          You see the amount before you confirm.
        </li>
        <li>Premium and Featured listings appear higher in the results and are labelled as such. Nobody can buy a better rating.</li>
        <li>
          If we fail to provide what you paid for, you get what you paid for or your money back, as consumer law requires. Otherwise plans
          are not refunded once a listing is live.
        </li>
      </ul>

      <h2>Reviews</h2>
      <p>
        One review per person for each listing, never of your own business, and from your own experience. No insults, no private details,
        nothing paid for. We remove reviews that break these rules; we do not remove reviews because they are unfavourable.
      </p>

      <h2>Referral programme</h2>
      <ul>
        <li>
          Every account has a code. When a new user signs up with it, both get {counted(referralTickets.signup, 'ticket')} for the monthly
          prize draw.
        </li>
        <li>
          When that user's first listing goes live, the referrer gets {referralTickets.listing} more tickets, and may swap them for one free
          month until the draw they are in closes. If that listing is on a free month, the tickets wait until the new user has saved a card
          that no other account uses, or has paid for a plan.
        </li>
        <li>A user who joined with a valid code gets their first plan free, once.</li>
        <li>
          A referral is held if several accounts came from one network or mail domain, or share a browser or card. Both people read why,
          until when, and how to object.
        </li>
        <li>Your own code, invented accounts and scripts do not count. Rewards gained that way are void.</li>
      </ul>

      <h2>Monthly prize draw, in short</h2>
      <ul>
        <li>
          The prize is {prizeText()} in money, paid to the winner's bank account: a Premium Listing Package worth {prizeText()}. New Zealand
          and Australia share one draw.
        </li>
        <li>
          Tickets count for the draw of the month in which they are earned. Entries close at {closingText} New Zealand time on the last day
          of the month.
        </li>
        <li>
          Each ticket has the same chance. The winning ticket is found with public randomness that nobody, including us, can know
          beforehand, and the proof is published so that anyone can check it, <Link to={paths.draws}>month by month</Link>.
        </li>
        <li>
          The winner is told by email and announced here by first name and initial. Our administrators, and suspended or deleted accounts,
          cannot win.
        </li>
        <li>Buying a plan does not improve anyone's chances.</li>
      </ul>
      <DrawOpening />
      <p>
        This is the short version. Each month’s full terms are in the <Link to={paths.drawRules}>rules of the prize draw</Link>.
      </p>

      <h2>Our responsibility</h2>
      <p>
        We run the site with care, but cannot promise that it will never be interrupted, or that every listing is right. As far as the law
        allows, we are not liable for the work of businesses that you find here. Where the law does not allow us to limit our liability, we
        do not.
      </p>

      <h2>Law, changes, questions</h2>
      <p>
        For users in New Zealand, the law of New Zealand applies; for users in Australia, the law of the state or territory where they live.
        {site.name} is run by {operator}. If these terms change in a way that matters, account holders are told 30 days beforehand. Ask us
        anything on the <Link to={paths.contact}>contact page</Link> or at <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>.
      </p>
    </Prose>
  );
}
