import { site } from '@handwise/contract/site/site';
import { DrawOpening } from '../../ui/page/draw-opening.tsx';
import { paths } from '@handwise/contract/paths';
import { prizeText } from '@handwise/contract/draws/prize';
import { data, Link } from 'react-router';
import { drawsData } from '../../domains/draws/draw-data.server.ts';
import { DrawList } from '../../domains/draws/draw-list.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/draws';
import styles from './draws.module.css';

export async function loader({ context }: Route.LoaderArgs) {
  const draws = await drawsData(context.get(serverContext));
  // Not cached, because a draw that waits for its round changes within seconds.
  return data(draws, draws.some(({ status }) => status === 'waiting') ? { headers: { 'cache-control': 'no-store' } } : {});
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Prize draws',
    description: `The prize draw of each month on ${site.name}, now for ${prizeText()}: when it closes, who won, and all you need to check that it was fair.`,
    path: paths.draws,
  });

export default function DrawsPage({ loaderData }: Route.ComponentProps) {
  return (
    <Container>
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>Prize draws</h1>
          <p className={styles.intro}>
            One ticket wins each month, now {prizeText()}. You don’t have to take our word for who it is: all tickets are published before
            anyone can know the deciding number, and your own browser can work out the winner.
          </p>
          <DrawOpening />
          <p>
            <Link to={paths.drawRules}>The rules of the draw</Link>
          </p>
        </header>
        <DrawList draws={loaderData} />
      </div>
    </Container>
  );
}
