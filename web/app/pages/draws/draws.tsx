import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { drawsData } from '../../domains/draws/draw-data.server.ts';
import { DrawList } from '../../domains/draws/draw-list.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/draws';
import styles from './draws.module.css';

export const loader = ({ context }: Route.LoaderArgs) => drawsData(context.get(serverContext));

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Prize draws',
    description: 'Every monthly $1,000 prize draw of Handwise: when it closes, who won, and all that is needed to check that it was fair.',
    path: paths.draws,
  });

export default function DrawsPage({ loaderData }: Route.ComponentProps) {
  return (
    <Container>
      <div className={styles.page}>
        <header className={styles.head}>
          <h1>Prize draws</h1>
          <p className={styles.intro}>
            One ticket wins $1,000 each month. You need not take our word for who it is: all tickets are published before anybody can know
            the number that decides, and your own browser can work out the winner.
          </p>
          <p>
            <Link to={paths.drawRules}>The rules of the draw</Link>
          </p>
        </header>
        <DrawList draws={loaderData} />
      </div>
    </Container>
  );
}
