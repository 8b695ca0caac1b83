import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from './api-error.ts';
import { useSession } from './session/session.ts';

const fiveMinutes = 5 * 60 * 1000;

const makeClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Client errors such as 404 do not go away by retrying.
        retry: (failures, error) => failures < 3 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        retryDelay: (attempt) => Math.min(1000 * 2 ** attempt, 30_000),
        staleTime: fiveMinutes,
        gcTime: fiveMinutes,
      },
      mutations: { retry: false },
    },
  });

// One per visit in the browser, and per person who is signed in during it; on the server one per rendering, which loads nothing.
let client: QueryClient | undefined;
let person: string | undefined;
let persons = 0;

function queryClient(userId: string | undefined) {
  if (typeof document === 'undefined') return makeClient();
  if (userId && person && userId !== person) {
    client = undefined;
    persons += 1;
  }
  person = userId ?? person;
  return (client ??= makeClient());
}

/** Only around pages that use queries, because the landing page and listings do without this library. */
export function Queries({ children }: { children: ReactNode }) {
  const own = queryClient(useSession().user?._id);
  // The key takes away what is shown of the person before.
  return (
    <QueryClientProvider key={persons} client={own}>
      {children}
    </QueryClientProvider>
  );
}
