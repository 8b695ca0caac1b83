import { Outlet } from 'react-router';
import { UnconfirmedBar } from '../../domains/accounts/unconfirmed-bar.tsx';
import { Container } from '../../ui/page/page.tsx';

/** Pages in the content's width. Those that are one card, such as a form, bring a narrower frame of their own. */
export default function FrameLayout() {
  return (
    <Container>
      <UnconfirmedBar />
      <Outlet />
    </Container>
  );
}
