import { Outlet } from 'react-router';
import { Container } from '../../ui/page/page.tsx';

/** Pages in the content's width. Those that are one card, such as a form, bring a narrower frame of their own. */
export default function FrameLayout() {
  return (
    <Container>
      <Outlet />
    </Container>
  );
}
