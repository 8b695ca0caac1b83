import { Outlet } from 'react-router';
import { Inbox } from '../../domains/messages/inbox/inbox.tsx';

/** The frame of all pages of messages. */
export default function InboxLayout() {
  return (
    <Inbox>
      <Outlet />
    </Inbox>
  );
}
