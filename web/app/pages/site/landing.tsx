import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { Navigate } from 'react-router';
import { getLandingCosts } from '../../domains/costs/costs-data.server.ts';
import { Landing } from '../../domains/site/landing.tsx';
import { getLandingData } from '../../domains/site/landing-data.server.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { serverContext } from '../../lib/server-context.ts';
import { useSession } from '../../lib/session/session.ts';
import { CardGridSkeleton } from '../../ui/feedback/skeleton.tsx';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/landing';

export function loader({ context }: Route.LoaderArgs) {
  const server = context.get(serverContext);
  return getLandingData(server, getLandingCosts(server));
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: `${site.name}: message home and trade pros for free`,
    description:
      'Find plumbers, painters, electricians, gardeners and more near you in New Zealand and Australia. Compare reviews and message pros for free.',
    path: paths.landing,
  });

export default function LandingPage({ loaderData }: Route.ComponentProps) {
  const { user } = useSession();
  if (user) return <Navigate to={paths.browse} replace />;
  return (
    <>
      <div className="visitor-only">
        <Landing {...loaderData} />
      </div>
      <div className="member-only" aria-hidden="true">
        <Container>
          <CardGridSkeleton />
        </Container>
      </div>
    </>
  );
}
