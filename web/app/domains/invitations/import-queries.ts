import type { InputOf, OutputOf } from '@handwise/contract/calls';
import type { InvitationImport } from '@handwise/contract/invitations/calls';
import type { RowOutcome } from '@handwise/contract/invitations/words';
import type { CountryCode } from '@handwise/contract/markets';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { upload } from '../../lib/upload.ts';

const root = ['admin', 'imports'];

export const imports = queryOptions({
  queryKey: [...root, 'list'],
  queryFn: ({ signal }) => call('GET /admin/imports', {}, signal),
  staleTime: 0,
});

export const isRunning = ({ executedAt, finishedAt }: InvitationImport) => executedAt !== null && finishedAt === null;

/** Polls while the import runs. */
export const importById = (id: string) =>
  queryOptions({
    queryKey: [...root, 'one', id],
    queryFn: ({ signal }) => call('GET /admin/imports/:id', { params: { id } }, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? 1_000 : false),
  });

/** `version` changes with each batch that was applied. */
export const importRows = (id: string, { page, outcome }: { page: number; outcome?: RowOutcome | undefined }, version: number) =>
  queryOptions({
    queryKey: [...root, 'rows', id, page, outcome, version],
    queryFn: ({ signal }) =>
      call('GET /admin/imports/:id/rows', { params: { id }, query: { page: String(page), ...(outcome && { outcome }) } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export type ReadColumns = OutputOf<'POST /admin/imports/columns'>;

/** The columns of a file, so that an administrator can say which is which. */
export const readColumns = (country: CountryCode, file: File) =>
  upload('POST /admin/imports/columns', { form: { country }, files: { file: [file] } }, () => {});

type DryRun = { country: CountryCode; file: File; columns?: string; trade?: string };

export function useDryRun(onProgress: (share: number) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ file, ...form }: DryRun) => upload('POST /admin/imports', { form, files: { file: [file] } }, onProgress),
    onSuccess: () => client.invalidateQueries({ queryKey: root }),
  });
}

export function useExecution() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<'POST /admin/imports/:id/execute'>) => call('POST /admin/imports/:id/execute', input),
    onSettled: () => client.invalidateQueries({ queryKey: root }),
  });
}
