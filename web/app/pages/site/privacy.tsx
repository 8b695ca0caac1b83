import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { supportAddress } from '../../lib/site.ts';
import { Prose } from '../../ui/page/prose.tsx';
import type { Route } from './+types/privacy';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Privacy policy',
    description: 'What Handwise knows about you, why, who sees it, how long we keep it, and how to get it corrected or erased.',
    path: paths.privacy,
  });

export default function PrivacyPage() {
  return (
    <Prose title="Privacy policy" updated="Nov 22, 2026">
      <p>
        We keep what we need to run the marketplace, and nothing to sell. This page says what that is, in the order in which you may come
        across it.
      </p>

      <h2>Whose rules apply</h2>
      <p>
        In New Zealand we follow the Privacy Act 2020 and its information privacy principles. In Australia we follow the Privacy Act 1988
        and the Australian Privacy Principles. Where the two differ, we do what protects you more.
      </p>

      <h2>What we collect</h2>
      <ul>
        <li>
          <strong>When you only look around:</strong> your request as every web server sees it (address of your connection, browser, page),
          kept for a short time for security. We count how often a listing is looked at: for that we keep a code that nobody can turn back
          into you, and delete it when the day is over. There is no advertising, no tracking across other sites, and no script from anybody
          else.
        </li>
        <li>
          <strong>When you have an account:</strong> your full name, username, email address and password. The password is stored as a
          one-way hash; we cannot read it. A phone number, an address, a picture or a few words about yourself are yours to add or leave
          out, and nobody else sees the phone number, the address and the words.
        </li>
        <li>
          <strong>When you sign in:</strong> the kind of browser, when you did, and when you last came, for as long as that lasts: 90 days
          at most. Of an authenticator app or a passkey that you set up we keep what is needed to check it, and show it to nobody. You see
          and end all of it under <Link to={paths.security}>Security</Link>.
        </li>
        <li>
          <strong>When you save a listing:</strong> that you did. Nobody else sees it, not even the business.
        </li>
        <li>
          <strong>When you keep a search as an alert:</strong> what it looks for, and which new listings it told you of. For a search near
          you we keep the nearest town, not where you were. Nobody else sees it.
        </li>
        <li>
          <strong>When you write a review:</strong> your stars and words, which are public. Beside them stands when you first messaged the
          business here about that listing and how soon it answered, or that you did not; never what was written. If you change your words,
          the earlier ones are kept, and only our own people can see those.
        </li>
        <li>
          <strong>When you message a business:</strong> the message and your email address, which the business needs to answer you.
        </li>
        <li>
          <strong>When you ask for quotes:</strong> the job as you describe it, its photos, the place and the time. The businesses you
          choose see them with your message, and not whom else you asked.
        </li>
        <li>
          <strong>When you list a business:</strong> everything on the listing. It is public, except the business email address. Others see
          the name of your business, not yours.
        </li>
        <li>
          <strong>When you report something, or are reported:</strong> what was reported and said, what we decided and why, and what you
          objected. The person it is about does not learn who reported it.
        </li>
        <li>
          <strong>When one of our people looks at the site as you,</strong> to help you: who, when and why. They can change nothing, and you
          find it among your sessions.
        </li>
        <li>
          <strong>When you pay:</strong> the payment provider handles your card. We never see its number; we keep the brand, the last four
          digits, the expiry date, the name on it and the code that the provider has for the card, by which we notice that two accounts use
          the same one. The payment step is the only place where the provider's script is loaded.
        </li>
        <li>
          <strong>When you press “Near me”:</strong> about where you are, to a kilometre. Your browser asks you first and rounds it before
          we hear of it. It stands in the address of that search, and so in our server logs and your browser’s history, and nowhere else.
        </li>
        <li>
          <strong>When you write to us by the contact form:</strong> your name, address, website and words.
        </li>
        <li>
          <strong>When you use a referral code:</strong> who invited whom, and the draw tickets that came of it. So that nobody invites
          themselves, we also keep codes made of your mailbox and your card, from which neither can be read, and for a day one made of the
          network that you came from.
        </li>
        <li>
          <strong>When you win the prize draw:</strong> the bank account to pay you. It is encrypted, seen only by the person who pays, and
          erased 90 days after the payment.
        </li>
      </ul>

      <h2>What is kept in your browser</h2>
      <p>
        Your sign-in, your choice of colours, your referral code, messages that you have begun or that did not get through, a job that you
        describe for quotes and an unfinished listing, both with their photos, are kept in your browser, and for an hour what you wanted to
        save, hear of or send before signing in, so that they are there when you come back. So are your last eight searches, which you can
        remove one by one or all at once. Signing out removes the sign-in, the code, the messages, the job and the searches. A random name
        of your browser stays, by which we know at the next sign-in that it is you and not somebody guessing your password. We set no
        cookies; the payment provider may set its own on the payment step, against fraud.
      </p>

      <h2>What we use it for</h2>
      <p>
        To show listings, deliver messages, take payments, run the referral programme and the draw, answer you, stop abuse, and keep the
        records the tax office asks for. If we ever want to use your information for something else, we ask you first.
      </p>

      <h2>Who else sees it</h2>
      <ul>
        <li>
          Everyone sees your reviews, with your first name, the initial of your last name, your username and your picture if you have added
          one: “Mere K.”, not “Mere Kīngi”.
        </li>
        <li>The business you write to sees the same of you, your message, and your email address, so that it can answer by email.</li>
        <li>Everyone sees the first name and initial of a prize draw winner.</li>
        <li>
          Whoever’s referral code you join with sees your name, username and email address, and the title of your first listing, beside the
          tickets that they earned by it.
        </li>
        <li>Apart from that, your full name, phone number and address: you and our administrators, no other member.</li>
        <li>
          Our hosting, mail and payment providers process information for us, under contract, and only for that. Some of them do so outside
          New Zealand and Australia; then we require the same protection that the law here gives you.
        </li>
        <li>Authorities, where the law obliges us.</li>
      </ul>

      <h2>How long we keep it</h2>
      <p>
        An account and its contents: until you delete it. Your name, addresses, phone number, pictures, saved listings, alerts and cards go
        at that moment, and your listings end. What stays: payment records and tax invoices for seven years, because the tax law of both
        countries asks for it, your reviews under the name “Former member”, what you wrote to others, in their conversations, the record of
        what was reported and decided, and the codes made of your mailbox and card. If you had draw tickets, who you were is kept for five
        years after your last draw, encrypted, because the rules for prize draws ask for records that long. Server logs: up to 90 days. What
        you wrote to us by the contact form: two years; if you wrote under the confirmed address of your account, your name, address and
        website are taken off it when you delete the account. Published draw results hold random numbers and no names, and stay, so that
        anyone can check an old draw.
      </p>

      <h2>How it is protected</h2>
      <p>
        Connections are encrypted. Signing out ends a sign-in at once. Few of our people have access, and only as far as their work needs
        it. If something goes wrong that could seriously harm you, we tell you and the regulator as soon as we can, as both Acts require.
      </p>

      <h2>Your rights</h2>
      <p>
        You may ask what we hold about you, get a copy, have it corrected, and have your account deleted. In your{' '}
        <Link to={paths.account}>account settings</Link> you download everything as one file, correct it, and delete your account, without
        asking us. For anything else write to <a href={`mailto:${supportAddress}`}>{supportAddress}</a> or use the{' '}
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
