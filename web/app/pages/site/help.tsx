import { paths } from '@handwise/contract/paths';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { oldestBrowsers } from '@handwise/contract/site/browsers';
import { site } from '@handwise/contract/site/site';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/help';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Help',
    description: `How to find and message a business on ${site.name}, how to list your own, which browsers work, and how to reach us.`,
    path: paths.help,
  });

const { safari, ios, firefox, chrome, edge } = oldestBrowsers;

export default function HelpPage() {
  return (
    <Prose title="Help" updated="Nov 30, 2026">
      <h2>Finding a business</h2>
      <p>
        Type what you need and where, such as “leaking tap” and “Ponsonby”, on the <Link to={paths.landing}>front page</Link>, or browse{' '}
        <Link to={paths.services}>all services</Link>. To ask several businesses at once, use <Link to={paths.getQuotes}>Get quotes</Link>.
        Messaging a business is free.
      </p>

      <h2>Your messages and your account</h2>
      <p>
        Answers arrive in <Link to={paths.messages}>Messages</Link> and by email. If you can’t sign in, you can{' '}
        <Link to={paths.forgotPassword}>choose a new password</Link>. To end a plan, a listing, our emails or your account, see{' '}
        <Link to={paths.howToStop}>How to stop</Link>.
      </p>

      <h2>Listing your business</h2>
      <p>
        <Link to={paths.pros}>For businesses</Link> says what a plan costs and what it includes. You pay for {subscriptionDays} days at a
        time, with no commission and no charge for leads.
      </p>

      <h2 id="browsers">Which browsers work?</h2>
      <ul>
        <li>
          Safari {safari} or newer; on an iPhone or iPad, iOS or iPadOS {ios} or newer, whichever browser you use
        </li>
        <li>Firefox {firefox} or newer</li>
        <li>
          Chrome {chrome} or newer, Edge {edge} or newer, and apps that show websites with Android’s WebView {chrome} or newer
        </li>
      </ul>
      <p>
        In an older browser, or with scripts switched off, you can still search, open listings and read reviews. Signing in and sending
        messages need a newer one.
      </p>

      <h2 id="accessibility">Accessibility statement</h2>
      <p>
        {site.name} is made to the Web Content Accessibility Guidelines 2.2, level AA. Each version is checked by software, on every kind of
        page, for contrast, names, labels and structure, in light and dark colours and at the width of a phone, and by tests that use the
        keyboard alone.
      </p>
      <p>We know of these gaps:</p>
      <ul>
        <li>Invoices and quotes as PDF have searchable text but no tags. The same is on their pages.</li>
        <li>Photos that businesses upload are described by their listing’s title only.</li>
        <li>The map is a picture of what the list beside it says in words.</li>
      </ul>
      <p>
        If something stops you, <Link to={paths.contact}>tell us</Link>. We answer within 20 working days, and do what you needed in another
        way in the meantime. If our answer does not help, you can go to the Human Rights Commission (New Zealand) or the Australian Human
        Rights Commission.
      </p>

      <h2>Something isn’t working</h2>
      <p>
        Load the page again first. If that doesn’t help, <Link to={paths.contact}>write to us</Link> or email{' '}
        <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>, and say which page you were on, what you pressed and which browser
        you use.
      </p>
    </Prose>
  );
}
