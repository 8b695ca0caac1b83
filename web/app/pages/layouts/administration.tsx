import { Outlet } from 'react-router';
import { RequireAdmin } from '../../domains/accounts/guards.tsx';
import { Container } from '../../ui/page/page.tsx';

/** Pages for administrators. */
export default function AdministrationLayout() {
  return (
    <RequireAdmin>
      <Container>
        <Outlet />
      </Container>
    </RequireAdmin>
  );
}
