import { inWords } from '@handwise/contract/numbers';
import { invitationDays } from '@handwise/contract/invitations/words';
import { paths } from '@handwise/contract/paths';
import {
  contactRetentionYears,
  drawRecordsYears,
  invoiceYears,
  longestSessionDays,
  pictureDeletionHours,
  referralTreeDays,
  removedPhotoMonths,
} from '@handwise/contract/periods';
import { bankDetailsRetentionDays } from '@handwise/contract/draws/prize';
import { formatOperator } from '@handwise/contract/site/operator';
import { listProcessors } from '@handwise/contract/site/processors';
import { automatedDecisions } from '@handwise/contract/site/automated-decisions';
import { Link } from 'react-router';
import { mostRecentSearches } from '../../domains/search/bar/recent-searches.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { site } from '@handwise/contract/site/site';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/privacy';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Privacy policy',
    description: `What ${site.name} knows about you, why, who sees it, how long we keep it, and how to get it corrected or erased.`,
    path: paths.privacy,
  });

export function loader({ context }: Route.LoaderArgs) {
  return { operator: formatOperator(), processors: listProcessors(context.get(serverContext)) };
}

export default function PrivacyPage({ loaderData: { operator, processors } }: Route.ComponentProps) {
  return (
    <Prose title="Privacy policy" updated="Nov 30, 2026">
      <p>
        We keep what we need to run the marketplace, and we sell none of it. This page says what that is, in the order you may come across
        it.
      </p>

      <h2>Who we are</h2>
      <p>
        {site.name} is run by {operator}.
      </p>

      <h2>Whose rules apply</h2>
      <p>
        In New Zealand we follow the Privacy Act 2020 and its information privacy principles. In Australia we follow the Privacy Act 1988
        and the Australian Privacy Principles. Where the two differ, we do what protects you more.
      </p>

      <h2>What we collect</h2>
      <ul>
        <li>
          <strong>When you just look around:</strong> your request as every web server sees it (your connection’s address, your browser, the
          page), kept for a short time for security. We count how often a listing is viewed: for that we keep a code that nobody can trace
          back to you, and delete it when the day is over. For one page in ten, your browser tells us how quickly it appeared and responded,
          and nothing about you. There is no advertising, no tracking across other sites, and no script from anybody else.
        </li>
        <li>
          <strong>When you have an account:</strong> your full name, username, email address and password. The password is stored as a
          one-way hash; we cannot read it. You can add a phone number, an address, a picture or a few words about yourself, or leave them
          out. Nobody else sees the phone number, the address or the words.
        </li>
        <li>
          <strong>When you sign in:</strong> the kind of browser, when you signed in and when you were last here, for as long as you stay
          signed in: {longestSessionDays} days at most. If you set up an authenticator app or a passkey, we keep what is needed to check it
          and show it to nobody. If you sign in with Google or Apple, we get your name, your email address and their code for you, and no
          password. You can see and end all of this under <Link to={paths.security}>Security</Link>.
        </li>
        <li>
          <strong>When we invite your business:</strong> its name, trade, place, contact details and a few words, which somebody here put
          together. We delete them after {invitationDays} days unless you publish them, or at once if you never want to hear from us; then
          only a code made of your mailbox stays, so that we never invite you again.
        </li>
        <li>
          <strong>When you save a listing:</strong> that you did. Nobody else sees it, not even the business.
        </li>
        <li>
          <strong>When you keep a search as an alert:</strong> what it looks for, and which new listings it told you about. For a search
          near you, we keep the nearest town, not where you were. Nobody else sees it.
        </li>
        <li>
          <strong>When you write a review:</strong> your stars, words and photos, which are public. Beside them we show when you first
          messaged the business here about that listing and how soon it answered, or that you did not; never what was written. If you change
          your review, what it said before is kept, and only our own people can see that; photos that you take out are deleted.
        </li>
        <li>
          <strong>When you message a business:</strong> the message with its photos and PDF, and your email address, which the business
          needs to answer you.
        </li>
        <li>
          <strong>When you ask for quotes:</strong> the job as you describe it, its photos, the place and the time. The businesses you
          choose see them with your message, but not who else you asked.
        </li>
        <li>
          <strong>When a business sends you a quote:</strong> what it says, when you first looked at it, and what you answered. Only the two
          of you see it. A quote that you accepted is an agreement, so it stays with the other side when either of you deletes an account.
        </li>
        <li>
          <strong>When you arrange a visit:</strong> the times that were proposed, the one you agreed on, who cancelled it and why. Only the
          two of you see it. If you let a calendar read your visits, anyone with the secret address from your account can read them too,
          until you end it.
        </li>
        <li>
          <strong>When you list a business:</strong> everything on the listing. It is public, except the business email address. Others see
          the name of your business, not yours.
        </li>
        <li>
          <strong>When you report something, or are reported:</strong> what was reported and said, what we decided and why, and any
          objection you made. The person it is about does not learn who reported it.
        </li>
        <li>
          <strong>When one of our people views the site as you,</strong> to help you: who, when and why. They cannot change anything, and
          you can see the visit among your sessions.
        </li>
        <li>
          <strong>When you pay:</strong> the payment provider handles your card. We never see its number; we keep the brand, the last four
          digits, the expiry date, the name on it and the provider’s code for the card, which tells us if two accounts use the same one. The
          payment step is the only place where the provider's script is loaded.
        </li>
        <li>
          <strong>When you press “Near me”:</strong> roughly where you are, to a kilometre. Your browser asks you first, and rounds it
          before we get it. It is part of the address of that search, and so of our server logs and your browser’s history, and nowhere
          else.
        </li>
        <li>
          <strong>When you write to us by the contact form:</strong> your name, address, website and words.
        </li>
        <li>
          <strong>When you use a referral code:</strong> who invited whom, and the draw tickets that came of it. So that nobody invites
          themselves, we also keep codes made of your mailbox, your card and your business number, from which none of them can be read.
        </li>
        <li>
          <strong>When you sign up:</strong> codes made of the network that you came from, for a day, and of your mailbox and its domain,
          for {referralTreeDays} days. They only tell us whether accounts that use referral codes come from one place.
        </li>
        <li>
          <strong>When you win the prize draw:</strong> the bank account to pay you into, and where you live. Both are encrypted, seen only
          by the person who pays you, and erased {bankDetailsRetentionDays} days after the payment.
        </li>
      </ul>

      <h2>What is kept in your browser</h2>
      <p>
        Your sign-in, your choice of colours, your referral code, until you register the code of a referral link that you followed, messages
        you have started or that did not get through, a job you are describing for quotes and an unfinished listing, all with their photos
        and PDFs, are kept in your browser. So is, for an hour, anything you wanted to save, hear about or send before signing in, so that
        it is there when you come back. Your last {inWords(mostRecentSearches)} searches are kept there too; you can remove them one by one
        or all at once. Signing out removes the sign-in, the code, the messages, the job and the searches. A random name for your browser
        stays. It tells us at the next sign-in that it is you and not somebody guessing your password. While you are signed in, two cookies
        keep you so for 30 days if your browser deletes what is stored, as Safari does after a week. Signing out removes them. While you
        sign in with Google or Apple, another one lasts ten minutes. After you change something, one lasts ten seconds, so that you see your
        change at once. We set no others; the payment provider may set its own on the payment step, against fraud.
      </p>

      <h2>What we use it for</h2>
      <p>
        To show listings, deliver messages, take payments, run the referral programme and the draw, answer you, stop abuse, and keep the
        records that tax law requires. If we ever want to use your information for something else, we will ask you first.
      </p>

      <h2 id="decisions">What software decides about you</h2>
      <p>
        Some decisions are made by software without anybody looking first. These are all of them. For each, you can write to us and a person
        looks again.
      </p>
      <ul>
        {automatedDecisions.map(({ id, decision, how, data, again }) => (
          <li key={id}>
            <strong>{decision}:</strong> {how} It uses {data}. {again}
          </li>
        ))}
      </ul>

      <h2>Who else sees it</h2>
      <ul>
        <li>
          Everyone sees your reviews, with your first name, the initial of your last name, your username and your picture if you have added
          one: “Mere K.”, not “Mere Kīngi”.
        </li>
        <li>A business you write to sees the same about you, plus your message and your email address, so that it can answer by email.</li>
        <li>Everyone sees the first name and initial of a prize draw winner.</li>
        <li>
          If you use somebody’s referral code, when you sign up or when you pay, they see your full name, username and email address, and
          the title of your first listing, beside the tickets they earned from it.
        </li>
        <li>If you give a listing a business phone number, anyone can see it by pressing “Show number” on the listing’s page.</li>
        <li>Apart from that, only you and our administrators see your full name, phone number and address, and no other member does.</li>
        <li>
          Others process information for us, under contract, and only for that. Where that is outside New Zealand and Australia, we require
          the same protection that the law here gives you:
          <ul>
            {processors.map(({ name, purpose, country }) => (
              <li key={name}>
                {name}, {purpose} ({country})
              </li>
            ))}
          </ul>
        </li>
        <li>Authorities, where the law requires it.</li>
      </ul>

      <h2>How long we keep it</h2>
      <p>
        An account and its contents: until you delete it. Your name, addresses, phone number, saved listings, alerts and cards go at that
        moment, your pictures within {inWords(pictureDeletionHours)} hours, and your listings end. What stays: payment records and tax
        invoices for {inWords(invoiceYears)} years, because tax law in both countries requires it, your reviews under the name “Former
        member”, what you wrote to others, in their conversations, the record of what was reported and decided, and the codes made of your
        mailbox and card. If you had draw tickets, we keep who you were for {inWords(drawRecordsYears)} years after your last draw,
        encrypted, because the rules for prize draws require records for that long. Photos of a review that we removed:{' '}
        {inWords(removedPhotoMonths)} months, in case of an objection, then they are deleted; within {inWords(pictureDeletionHours)} hours
        if they show private details of a person or the law requires it, or if you withdraw the review. Until then nothing leads to them,
        but they still open at their own addresses. Server logs: up to 90 days. What you wrote to us through the contact form:{' '}
        {inWords(contactRetentionYears)} years; if you wrote from your account’s confirmed address, your name, address and website are
        removed from it when you delete the account. Published draw results hold random numbers and no names, and stay, so that anyone can
        check an old draw.
      </p>

      <h2>How it is protected</h2>
      <p>
        Connections are encrypted. Signing out ends a sign-in at once. Few of our people have access, and only as far as their work
        requires. If something goes wrong that could seriously harm you, we tell you and the regulator as soon as we can, as both Acts
        require.
      </p>

      <h2>Your rights</h2>
      <p>
        You can ask what we hold about you, get a copy, have it corrected, and have your account deleted. In your{' '}
        <Link to={paths.account}>account settings</Link> you can download everything as one file, correct it, and delete your account,
        without asking us. For anything else write to <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a> or use the{' '}
        <Link to={paths.contact}>contact page</Link>. We answer within 20 working days.
      </p>
      <p>
        If you are not satisfied, you can complain to the Office of the Privacy Commissioner (New Zealand, privacy.org.nz) or the Office of
        the Australian Information Commissioner (oaic.gov.au). It costs nothing.
      </p>

      <h2>Changes</h2>
      <p>
        If this policy changes in a way that matters, account holders get an email before it does. The date at the top says when it last
        changed.
      </p>
    </Prose>
  );
}
