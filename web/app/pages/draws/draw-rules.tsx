import { periodName } from '@handwise/contract/dates';
import { formatPrizeDollars } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import { data, Link } from 'react-router';
import { termsData } from '../../domains/draws/draw-data.server.ts';
import { DrawTerms } from '../../domains/draws/draw-terms.tsx';
import { drawName } from '../../domains/draws/draw-view.ts';
import type { PageHandle } from '../../lib/root-data.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/draw-rules';
import styles from './draws.module.css';

export const handle: PageHandle = { reads: ['month'] };

export async function loader({ context, request }: Route.LoaderArgs) {
  const month = new URL(request.url).searchParams.get('month');
  const found = await termsData(context.get(serverContext), month);
  if (!found) throw data(null, { status: 404 });
  return { ...found, requestedMonth: month };
}

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData) return [];
  const { requestedMonth, terms } = loaderData;
  return pageMeta(matches, {
    title: requestedMonth ? `Rules of the prize draw of ${periodName(terms.period)}` : 'Rules of the prize draw',
    description: `The terms of the ${formatPrizeDollars(terms.prize.amountMinor / 100)} prize draw of ${periodName(terms.period)}: tickets, closing, how the winner is drawn, and what each state and country requires.`,
    path: requestedMonth ? `${paths.drawRules}?month=${requestedMonth}` : paths.drawRules,
  });
};

export default function DrawRulesPage({ loaderData: { terms, months } }: Route.ComponentProps) {
  return (
    <Container>
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>Rules of the prize draw</h1>
          <p className={styles.intro}>
            The terms of {periodName(terms.period)}. They were fixed when the month’s draw began, and nobody can change them while it runs.
          </p>
          <p>
            <Link to={paths.draw(terms.period)}>The draw of {periodName(terms.period)}</Link>
          </p>
        </header>
        <DrawTerms terms={terms} />
        <nav className={styles.section} aria-labelledby="other-months">
          <h2 id="other-months">Other months</h2>
          <ul className={styles.months}>
            {months.map((one) => (
              <li key={one.period}>
                <Link to={`${paths.drawRules}?month=${one.period}`} aria-current={one.period === terms.period ? 'page' : undefined}>
                  {drawName(one)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </Container>
  );
}
