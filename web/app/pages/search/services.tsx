import { paths } from '@handwise/contract/paths';
import { Directory } from '../../domains/search/directory/directory.tsx';
import { getDirectoryData } from '../../domains/search/directory/directory-data.server.ts';
import { describeDirectory } from '../../domains/search/directory/directory-words.ts';
import { createBreadcrumbList, formatJsonLd, JsonLd } from '../../ui/page/json-ld.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { serverContext } from '../../lib/server-context.ts';
import { Breadcrumbs, Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/services';
import styles from './services.module.css';

const trail = [
  { name: 'Home', path: paths.landing },
  { name: 'Services', path: paths.services },
];

export const loader = ({ context }: Route.LoaderArgs) => getDirectoryData(context.get(serverContext));

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta(matches, {
    title: `Home and trade services in ${loaderData?.place ?? 'New Zealand and Australia'}`,
    description: loaderData ? describeDirectory(loaderData) : '',
    path: paths.services,
  });

export default function ServicesPage({ loaderData }: Route.ComponentProps) {
  const { origin } = useRootData();
  return (
    <Container>
      <div className={styles.page}>
        <Breadcrumbs trail={trail} />
        <Directory data={loaderData} />
        <JsonLd text={import.meta.env.SSR ? formatJsonLd(createBreadcrumbList(origin, trail)) : ''} />
      </div>
    </Container>
  );
}
