import { Outlet } from 'react-router';
import { UnconfirmedBar } from '../../domains/accounts/unconfirmed-bar.tsx';
import { Container } from '../../ui/page/page.tsx';

/** Pages in the content's width. Single cards, such as forms, have a narrower frame. */
export default function FrameLayout() {
  return (
    <Container>
      <UnconfirmedBar />
      <Outlet />
    </Container>
  );
}
