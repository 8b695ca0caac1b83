import { paths } from '@handwise/contract/paths';
import { data } from 'react-router';
import { drawData } from '../../domains/draws/draw-data.server.ts';
import { DrawPage } from '../../domains/draws/draw-page.tsx';
import { drawName, formatResult } from '../../domains/draws/draw-view.ts';
import { createBreadcrumbList, formatJsonLd, JsonLd } from '../../ui/page/json-ld.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Breadcrumbs, Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/draw';
import styles from './draws.module.css';

export async function loader({ context, params }: Route.LoaderArgs) {
  const draw = await drawData(context.get(serverContext), params.period);
  if (!draw) throw data(null, { status: 404 });
  // Not cached, because a draw that waits for its round changes within seconds.
  return data(draw, draw.status === 'waiting' ? { headers: { 'cache-control': 'no-store' } } : {});
}

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = ({ matches, loaderData }) => {
  if (!loaderData) return [];
  return pageMeta(matches, {
    title: `The prize draw of ${drawName(loaderData)}`,
    description: `${formatResult(loaderData)}. All tickets, the public randomness and the steps that lead to the winner, for anyone to check.`,
    path: paths.draw(loaderData.period),
  });
};

export default function OneDrawPage({ loaderData }: Route.ComponentProps) {
  const { origin } = useRootData();
  const trail = [
    { name: 'Home', path: paths.landing },
    { name: 'Prize draws', path: paths.draws },
    { name: drawName(loaderData), path: paths.draw(loaderData.period) },
  ];
  return (
    <Container>
      <div className={styles.page}>
        <div className={styles.trail}>
          <Breadcrumbs trail={trail} />
        </div>
        <DrawPage key={loaderData.period} asRendered={loaderData} origin={origin} />
        <JsonLd key={`data of ${loaderData.period}`} text={import.meta.env.SSR ? formatJsonLd(createBreadcrumbList(origin, trail)) : ''} />
      </div>
    </Container>
  );
}
