import { businessRegisters } from '@handwise/contract/business-number';
import { licenceRegisters, notMeantByVerified } from '@handwise/contract/evidence-words';
import { paths } from '@handwise/contract/paths';
import { siteName } from '@handwise/contract/site-name';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { Prose } from '../../ui/page/prose.tsx';
import type { Route } from './+types/how-we-check';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'How we check',
    description: `What “Verified” means on ${siteName}, which registers we ask and when, what we do not check, and how you can.`,
    path: paths.howWeCheck,
  });

const countries = [
  { code: 'NZ', name: 'New Zealand' },
  { code: 'AU', name: 'Australia' },
] as const;

export default function HowWeCheckPage() {
  return (
    <Prose title="How we check" updated="Nov 22, 2026">
      <p>
        Most of what a listing says is said by the business. This page tells you what we check of it, what we do not, and where you can look
        for yourself.
      </p>

      <h2>What “Verified” means</h2>
      <p>
        A business can give us its NZBN or its ABN. We ask the public register about it: the {businessRegisters.nzbn.name} or the{' '}
        {businessRegisters.abn.name}. The badge stands where the register has the number, says that the business is in operation, and knows
        it by the name of the listing or one much like it. Beside it you read the register, the name there, and the day on which we asked.
      </p>
      <p>{notMeantByVerified}</p>

      <h2>When the badge goes</h2>
      <ul>
        <li>We ask again every 90 days. A business that has ended loses the badge.</li>
        <li>It goes at once when the business changes its name or its number here, until the register has answered again.</li>
        <li>While a register cannot be reached, what it said last stands, with its date.</li>
        <li>If two accounts give the same number, our moderators look at it.</li>
      </ul>
      <p>A badge that says “sandbox” was made while trying the site out: no register was asked, and it means nothing.</p>

      <h2>What we do not check</h2>
      <p>
        Prices, years, hours, emergency call-outs, insurance and licences are shown as the business says them. Ask for the certificate of
        insurance. You can look up a licence: its number, its holder and the register stand on the listing.
      </p>
      {countries.map(({ code, name }) => (
        <section key={code}>
          <h3>{name}</h3>
          <ul>
            {Object.values(licenceRegisters)
              .filter(({ country }) => country === code)
              .map((register) => (
                <li key={register.page}>
                  <a href={register.page} rel="noopener" target="_blank">
                    {register.name}
                    <span className="visually-hidden"> (opens in a new tab)</span>
                  </a>
                  : {register.trades}
                </li>
              ))}
          </ul>
        </section>
      ))}
      <p>
        What people say of a business has rules of its own: <Link to={paths.reviewsPolicy}>how reviews work</Link>. Is something on a
        listing not true? Report it at the foot of its page.
      </p>
    </Prose>
  );
}
