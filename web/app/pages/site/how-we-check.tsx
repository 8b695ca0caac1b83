import { businessRegisters } from '@handwise/contract/registers/business-number';
import { licenceRegisters } from '@handwise/contract/registers/licence-registers';
import { notMeantByVerified } from '@handwise/contract/registers/words';
import { paths } from '@handwise/contract/paths';
import { licenceCheckDays, registerCheckDays } from '@handwise/contract/periods';
import { site } from '@handwise/contract/site/site';
import { Link } from 'react-router';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { Prose } from '../../ui/page/page.tsx';
import type { Route } from './+types/how-we-check';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'How we check',
    description: `What “Verified” means on ${site.name}, which registers we ask and when, what we do not check, and how you can.`,
    path: paths.howWeCheck,
  });

const countries = [
  { code: 'NZ', name: 'New Zealand' },
  { code: 'AU', name: 'Australia' },
] as const;

export default function HowWeCheckPage() {
  const { sandbox } = useRootData();
  return (
    <Prose title="How we check" updated="Nov 30, 2026">
      <p>
        Most of what a listing says comes from the business. This page tells you what we check, what we don’t, and where you can look for
        yourself.
      </p>

      <h2>What “Verified” means</h2>
      <p>
        A business can give us its NZBN or ABN, and we ask the public register about it: the {businessRegisters.nzbn.name} or the{' '}
        {businessRegisters.abn.name}. You see the badge if the register has the number, says that the business is in operation, and lists it
        under the listing’s business name or one much like it. Beside the badge are the register, the name there, and the day we asked.
      </p>
      <p>{notMeantByVerified}</p>

      <h2>When the badge goes</h2>
      <ul>
        <li>We ask again every {registerCheckDays} days. A business that has closed loses the badge.</li>
        <li>If the business changes its name or number here, the badge goes straight away until the register has answered again.</li>
        <li>While a register cannot be reached, its last answer stands, with its date.</li>
        <li>If two accounts give the same number, our moderators look at it.</li>
      </ul>
      {sandbox && (
        <p>A badge that says “sandbox” comes from this trial version of the site: no register was asked, and it means nothing.</p>
      )}

      <h2>What we do not check</h2>
      <p>
        Prices, years, hours, emergency call-outs and insurance are shown as the business gives them. Ask to see the insurance certificate.
      </p>

      <h2>Licences</h2>
      <p>
        Where the law asks for a licence, a listing names its number, class and holder, or says why it needs none. “Licence checked on” a
        day means that the register had that number as current under that holder; the class is the register’s only where it says so. We look
        again after {licenceCheckDays} days. “Licence stated, not checked” means that no check counts: nobody has looked within{' '}
        {licenceCheckDays} days, the register gave no answer, or it has nothing under that number. A licence that we found to have ended, to
        be suspended or to be somebody else’s is not shown. You can look each one up yourself:
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
        What people say about a business has its own rules: <Link to={paths.reviewsPolicy}>how reviews work</Link>. If something on a
        listing is not true, report it at the foot of its page.
      </p>
    </Prose>
  );
}
