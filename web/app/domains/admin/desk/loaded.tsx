import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';

type LoadedProps<Data> = { query: UseQueryResult<Data>; children: (data: Data) => ReactNode };

/** Loaded data, or its error. */
export const Loaded = <Data,>({ query: { data, error, refetch }, children }: LoadedProps<Data>) =>
  error ? <ErrorDisplay error={error} onRetry={() => void refetch()} /> : data === undefined ? <LoadingView /> : children(data);
