import { UnconfirmedBar } from '../../domains/accounts/unconfirmed-bar.tsx';
import { Queries } from '../../lib/queries.tsx';
import { Container } from '../../ui/page/page.tsx';
import { browseCategories } from '@handwise/contract/listings/categories';
import { isTradeShown } from '@handwise/contract/site/open';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { call } from '../../lib/api.ts';
import { useRootData } from '../../lib/root-data.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import { BrowseSkeleton } from '../../domains/search/browse-skeleton.tsx';
import styles from '../../domains/search/browse.module.css';
import { CategoryCarousel } from '../../domains/search/category-carousel.tsx';
import { CardGrid } from '../../domains/listings/listing-card.tsx';
import { createFindData } from '../../domains/search/find/find-data.ts';
import { Find } from '../../domains/search/find/find.tsx';
import { findAddress } from '../../domains/search/find/find-params.ts';

/** Listing search for members. Only ever rendered in the browser. */
export const BrowsePage = () => (
  <Container>
    <UnconfirmedBar />
    <Queries>
      <Browse />
    </Queries>
  </Container>
);

/** The members' home: the categories, and all listings. Choices lead to the search. Needs `Queries` around it. */
function Browse() {
  const { market } = useRootData();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['browse', market],
    queryFn: ({ signal }) => call('GET /search', { query: {} }, signal),
  });
  if (query.isError && !query.data) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <BrowseSkeleton />;
  return (
    <div className={styles.browse}>
      <ReloadProblem query={query} />
      <CategoryCarousel
        categories={browseCategories.filter(({ slug }) => isTradeShown(slug))}
        chosen=""
        onToggle={(category) => void navigate(findAddress({ category }))}
      />
      <Find data={createFindData({}, query.data)} Cards={CardGrid} />
    </div>
  );
}
