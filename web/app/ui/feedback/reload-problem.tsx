import { LoadProblem } from './load-problem.tsx';

/** Above data that could not be loaded again. The data stays, because it may be all that there is. */
export const ReloadProblem = ({ query }: { query: { isError: boolean; refetch: () => unknown } }) =>
  query.isError && <LoadProblem text="This could not be loaded again." onRetry={() => query.refetch()} />;
