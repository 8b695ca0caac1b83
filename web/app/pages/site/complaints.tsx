import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { appealMonths, complaintDays } from '@handwise/contract/periods';
import { site } from '@handwise/contract/site/site';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/complaints';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Complaints',
    description: `How to complain about a business or about ${site.name}, who answers by when, how to object, and where else you can go.`,
    path: paths.complaints,
  });

const elsewhere = [
  {
    country: 'New Zealand',
    places: [
      ['Consumer Protection', 'https://www.consumerprotection.govt.nz/', 'your rights, and how to settle a problem with a business'],
      ['Disputes Tribunal', 'https://www.disputestribunal.govt.nz/', 'decides smaller claims without lawyers'],
      ['Commerce Commission', 'https://www.comcom.govt.nz/', 'false or misleading claims, by a business or by us'],
      ['Privacy Commissioner', 'https://www.privacy.org.nz/', 'how your personal information is handled'],
    ],
  },
  {
    country: 'Australia',
    places: [
      ['ACCC', 'https://www.accc.gov.au/', 'consumer law, and the offices of each state and territory'],
      ['NSW Fair Trading', 'https://www.fairtrading.nsw.gov.au/', 'New South Wales'],
      ['Consumer Affairs Victoria', 'https://www.consumer.vic.gov.au/', 'Victoria'],
      ['Queensland Building and Construction Commission', 'https://www.qbcc.qld.gov.au/', 'building work in Queensland'],
      ['Consumer Protection WA', 'https://www.consumerprotection.wa.gov.au/', 'Western Australia'],
      ['Consumer and Business Services', 'https://www.cbs.sa.gov.au/', 'South Australia'],
      ['Consumer, Building and Occupational Services', 'https://www.cbos.tas.gov.au/', 'Tasmania'],
      ['Access Canberra', 'https://www.accesscanberra.act.gov.au/', 'the Australian Capital Territory'],
      ['Consumer Affairs NT', 'https://consumeraffairs.nt.gov.au/', 'the Northern Territory'],
      ['Information Commissioner', 'https://www.oaic.gov.au/', 'how your personal information is handled'],
    ],
  },
] as const;

export default function ComplaintsPage() {
  const { operator } = useRootData();
  return (
    <Prose title="Complaints" updated="Nov 29, 2026">
      <p>
        Something went wrong with a business you found here, or with {site.name} itself? Complaining costs nothing, and nobody is treated
        worse for it.
      </p>

      <h2>About a business</h2>
      <ol>
        <li>
          Write to the business in your conversation, if you have one. Most problems end there, and what was said stays where both of you
          can read it.
        </li>
        <li>
          Choose “Report” on the listing, review or message that is wrong. A person looks at every report. They can take a listing off the
          site, remove a review, warn the business or suspend its account.
        </li>
        <li>
          Or <Link to={paths.contact}>write to us</Link> with the name of the business and what happened.
        </li>
      </ol>
      <p>
        You hire the business and pay it without us, so we cannot get your money back or judge the work. We can decide who stays on the
        site.
      </p>

      <h2>About us</h2>
      <p>
        <Link to={paths.contact}>Write to us</Link>, or email <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>, with
        “complaint” in the first line. It goes to {operator}.
      </p>

      <h2>Who answers, and by when</h2>
      <ul>
        <li>We confirm within {inWords(complaintDays.confirm)} working days that we have your complaint, and who looks at it.</li>
        <li>
          We decide within {inWords(complaintDays.decide)} working days, with the reason. If we need longer, we tell you why and until when.
        </li>
        <li>Somebody whom the matter concerns never decides it.</li>
      </ul>
      <p>
        How often we keep to this is on <Link to={paths.standards}>our standards</Link>, counted each month.
      </p>

      <h2>If you disagree</h2>
      <p>
        You can object to a decision about your listing, review, message or account for {inWords(appealMonths)} months: open{' '}
        <Link to={paths.decisions}>your decisions</Link>, or the link in our email. Another person looks at it again and answers with the
        reason. To a decision about your complaint, reply to our email and ask for that.
      </p>

      <h2>Where else you can go</h2>
      <p>At any time, before or after you write to us:</p>
      {elsewhere.map(({ country, places }) => (
        <section key={country}>
          <h3>{country}</h3>
          <ul>
            {places.map(([name, page, about]) => (
              <li key={page}>
                <a href={page} rel="noopener" target="_blank">
                  {name}
                  <span className="visually-hidden"> (opens in a new tab)</span>
                </a>
                : {about}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Prose>
  );
}
