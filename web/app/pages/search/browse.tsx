import { UnconfirmedBar } from '../../domains/accounts/unconfirmed-bar.tsx';
import { Browse } from '../../domains/search/browse.tsx';
import { Queries } from '../../lib/queries.tsx';
import { Container } from '../../ui/page/page.tsx';

/** Listing search for members. Only ever rendered in the browser. */
export const BrowsePage = () => (
  <Container>
    <UnconfirmedBar />
    <Queries>
      <Browse />
    </Queries>
  </Container>
);
