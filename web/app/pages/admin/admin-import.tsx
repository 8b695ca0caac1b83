import { adminPaths } from '@handwise/contract/admin/paths';
import type { ImportRow, InvitationImport } from '@handwise/contract/invitations/calls';
import {
  importColumns,
  type ImportColumn,
  importTemplate,
  type InvitationBasis,
  invitationBases,
  maxImportMb,
  maxImportRows,
  type RowOutcome,
  rowOutcomes,
} from '@handwise/contract/invitations/words';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { count, counted } from '@handwise/contract/numbers';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import styles from '../../domains/admin/desk/admin.module.css';
import caseStyles from '../../domains/admin/desk/case.module.css';
import { Choices } from '../../domains/admin/desk/decision-form.tsx';
import {
  QueryFilterLinks,
  findChosenOption,
  formatTime,
  ResultList,
  Loaded,
  Scroll,
  TableHead,
} from '../../domains/admin/desk/list-parts.tsx';
import {
  importById,
  importRows,
  imports,
  isRunning,
  readColumns,
  type ReadColumns,
  useDryRun,
  useExecution,
} from '../../domains/invitations/import-queries.ts';
import { download } from '../../lib/download.ts';
import { toFormProblem } from '../../lib/forms/form-problem.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { SelectField, TextField } from '../../ui/forms/form-field.tsx';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import type { Route } from './+types/admin-import';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Import', description: 'Invite businesses from a CSV.', path: adminPaths.import, noIndex: true });

export default function AdminImportPage() {
  const [search] = useSearchParams();
  const id = search.get('import');
  return (
    <div className={styles.stack}>
      <h1>Import</h1>
      {id ? (
        <OneImport key={id} id={id} />
      ) : (
        <>
          <UploadForm />
          <NewestImports />
        </>
      )}
    </div>
  );
}

function UploadForm() {
  const [, setSearch] = useSearchParams();
  const [problem, setProblem] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const [unknown, setUnknown] = useState<ReadColumns | null>(null);
  const dryRun = useDryRun(setShare);

  // A header that is not ours is shown with what was recognised, for the administrator to complete.
  async function findMapping(country: CountryCode, file: File, form: FormData): Promise<{ columns?: string; trade?: string } | null> {
    if (unknown === null) {
      const read = await readColumns(country, file);
      if (read.missing.length === 0) return {};
      setUnknown(read);
      return null;
    }
    const columns = Object.fromEntries(importColumnNames.map((name) => [name, String(form.get(`column-${name}`) ?? '')]));
    return { columns: JSON.stringify(columns), trade: String(form.get('trade') ?? '') };
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const file = form.get('file');
    if (!(file instanceof File) || file.size === 0) return setProblem('Choose a CSV file');
    if (file.size > maxImportMb * 1_000_000) return setProblem(`Use a file of at most ${maxImportMb} MB`);
    setProblem(null);
    try {
      const country = form.get('country') as CountryCode;
      const mapping = await findMapping(country, file, form);
      if (mapping === null) return undefined;
      const made = await dryRun.mutateAsync({ country, file, ...mapping });
      setSearch({ import: made._id });
    } catch (error) {
      const { message, fields } = toFormProblem(error, ['file']);
      setProblem(fields[0]?.message ?? message);
    }
    return undefined;
  }

  return (
    <form className={caseStyles.form} onSubmit={(event) => void submit(event)}>
      <p>
        A CSV of at most {count(maxImportRows)} businesses.{' '}
        <a href={`data:text/csv;charset=utf-8,${encodeURIComponent(importTemplate)}`} download="businesses.csv">
          Download the template
        </a>
      </p>
      <SelectField label="Country" name="country">
        {(Object.keys(markets) as CountryCode[]).map((code) => (
          <option key={code} value={code}>
            {markets[code].name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="CSV file"
        name="file"
        type="file"
        accept=".csv,text/csv"
        error={problem ?? undefined}
        hint={`UTF-8, at most ${maxImportMb} MB`}
        onChange={() => setUnknown(null)}
      />
      {unknown && <ColumnFields {...unknown} />}
      <div>
        <Button type="submit" busy={dryRun.isPending}>
          {dryRun.isPending ? (share < 1 ? `Sending: ${Math.round(share * 100)} %` : 'Checking') : 'Check the file'}
        </Button>
      </div>
      <p className="muted">Checking invites nobody. You see first what would happen to each row.</p>
    </form>
  );
}

const importColumnNames = Object.keys(importColumns) as ImportColumn[];

const ColumnFields = ({ columns, recognised }: ReadColumns) => (
  <fieldset className={caseStyles.form}>
    <legend>Which column is which?</legend>
    <p role="status">We did not recognise every column that we need. Choose them here, then check the file again.</p>
    {importColumnNames.map((column) => (
      <SelectField
        key={column}
        label={importColumns[column].name}
        name={`column-${column}`}
        defaultValue={recognised[column] ?? ''}
        optional={!importColumns[column].isRequired}
      >
        <option value="">Not in this file</option>
        {columns.map(({ name, example }) => (
          <option key={name} value={name}>
            {example === '' ? name : `${name} (${example})`}
          </option>
        ))}
      </SelectField>
    ))}
    <TextField
      label="Trade of every business"
      name="trade"
      optional
      hint="If the file has no column for it, such as Plumber."
      maxLength={60}
    />
  </fieldset>
);

const describeState = (one: InvitationImport) =>
  one.finishedAt ? 'Done' : one.executedAt ? `${count(one.applied)} of ${count(one.rows)} rows` : 'Checked only';

const NewestImports = () => (
  <section className={caseStyles.section}>
    <h2>Newest imports</h2>
    <Loaded query={useQuery(imports)}>
      {({ imports: all }) =>
        all.length === 0 ? (
          <EmptyState title="No imports yet" drawing="search">
            Files that you check are listed here.
          </EmptyState>
        ) : (
          <Scroll label="Newest imports">
            <table className={styles.table}>
              <TableHead columns={['Checked', 'Country', { number: 'Rows' }, { number: 'Invitations' }, 'State']} />
              <tbody>
                {all.map((one) => (
                  <tr key={one._id}>
                    <th scope="row">
                      <Link to={`?import=${one._id}`}>{formatTime(one.createdAt)}</Link>
                    </th>
                    <td>{markets[one.country].name}</td>
                    <td data-number>{count(one.rows)}</td>
                    <td data-number>{count(one.counts.invite)}</td>
                    <td>{describeState(one)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )
      }
    </Loaded>
  </section>
);

const OneImport = ({ id }: { id: string }) => (
  <>
    <p>
      <Link to={adminPaths.import}>All imports</Link>
    </p>
    <Loaded query={useQuery(importById(id))}>
      {(one) => (
        <>
          <Summary one={one} />
          {one.executedAt ? <Progress one={one} /> : one.counts.invite > 0 && <ExecuteForm one={one} />}
          <Rows one={one} />
        </>
      )}
    </Loaded>
  </>
);

const outcomes = Object.keys(rowOutcomes) as RowOutcome[];

function Summary({ one }: { one: InvitationImport }) {
  const ignored = (reason: 'protected' | 'unknown') =>
    one.ignoredColumns.filter((column) => column.reason === reason).map(({ name }) => name);
  const [protectedOnes, unknown] = [ignored('protected'), ignored('unknown')];
  return (
    <section className={caseStyles.section}>
      <h2>
        {one.executedAt ? 'Import' : 'Dry run'} of {counted(one.rows, 'row')}
      </h2>
      <p className="muted">
        {markets[one.country].name} · {formatTime(one.createdAt)}
        {one.basis && ` · ${invitationBases[one.basis].name}`}
      </p>
      {protectedOnes.length > 0 && <Notice>Ignored, because no file decides money or a state: {protectedOnes.join(', ')}.</Notice>}
      {unknown.length > 0 && <Notice>Ignored, because we do not know these columns: {unknown.join(', ')}.</Notice>}
      <ul>
        {outcomes.map((outcome) => (
          <li key={outcome}>
            {rowOutcomes[outcome]}: {count(one.counts[outcome])}
          </li>
        ))}
      </ul>
      {one.counts.invalid > 0 && (
        <div>
          <Button
            kind="secondary"
            onClick={() =>
              void download(`/api/admin/imports/${one._id}/errors`, 'import-errors.csv').catch(() =>
                toast('The errors could not be loaded. Please try again.', 'error'),
              )
            }
          >
            Download the errors as CSV
          </Button>
        </div>
      )}
    </section>
  );
}

function Progress({ one }: { one: InvitationImport }) {
  return (
    <section className={caseStyles.section} aria-label="Progress">
      <p role="status">
        {isRunning(one)
          ? `Inviting: ${count(one.applied)} of ${count(one.rows)} rows`
          : `Done: ${counted(one.counts.invite, 'business has', 'businesses have')} been invited.`}
      </p>
      {isRunning(one) && <progress aria-label="Rows" value={one.applied} max={one.rows} />}
    </section>
  );
}

function ExecuteForm({ one }: { one: InvitationImport }) {
  const [basis, setBasis] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const execution = useExecution();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (basis === '') return setProblem('Say why they may be emailed');
    if (!isConfirmed) return setProblem('Confirm that the basis is right for every business in the file');
    setProblem(null);
    try {
      const body = { fileHash: one.fileHash, basis: basis as InvitationBasis, isConfirmed } as const;
      await execution.mutateAsync({ params: { id: one._id }, body });
    } catch (error) {
      setProblem(toFormProblem(error, []).message);
    }
    return undefined;
  }

  return (
    <form className={caseStyles.form} onSubmit={(event) => void submit(event)}>
      <Choices
        legend="Why may we email them?"
        options={Object.entries(invitationBases).map(([value, { name }]) => ({ value, name }))}
        value={basis}
        onChange={setBasis}
      />
      <label className={caseStyles.choice}>
        <input type="checkbox" checked={isConfirmed} onChange={(event) => setConfirmed(event.target.checked)} />
        <span>This is true for every business in the file</span>
      </label>
      <div role="alert">{problem && <Notice>{problem}</Notice>}</div>
      <div>
        <Button type="submit" busy={execution.isPending}>
          Invite {counted(one.counts.invite, 'business', 'businesses')}
        </Button>
      </div>
    </form>
  );
}

const filters = [{ value: '', name: 'All' }, ...outcomes.map((value) => ({ value, name: rowOutcomes[value] }))] as const;

function Rows({ one }: { one: InvitationImport }) {
  const [search] = useSearchParams();
  const outcome = findChosenOption<RowOutcome | ''>(filters, search.get('outcome'));
  const page = getRequestedPage(search.get('page')) ?? 1;
  return (
    <section className={styles.stack}>
      <h2>Rows</h2>
      {one.executedAt && <p className="muted">Once a business is invited, its name and address are deleted from this list.</p>}
      <QueryFilterLinks label="Outcome" name="outcome" options={filters} />
      <Loaded query={useQuery(importRows(one._id, { page, outcome }, one.applied))}>
        {(data) => (
          <ResultList
            one="row"
            page={page}
            totalPages={data.totalPages}
            total={data.total}
            empty={{ title: 'No such rows', text: 'No row of this file has this outcome.' }}
          >
            <table className={styles.table}>
              <TableHead columns={[{ number: 'Line' }, 'What happens', 'Business']} />
              <tbody>
                {data.rows.map((row) => (
                  <Row key={row.line} row={row} />
                ))}
              </tbody>
            </table>
          </ResultList>
        )}
      </Loaded>
    </section>
  );
}

const Row = ({ row: { line, name, email, place, outcome, problems } }: { row: ImportRow }) => (
  <tr>
    <td data-number>{line}</td>
    <td className={styles.words}>
      {rowOutcomes[outcome]}
      {problems.length > 0 && (
        <ul>
          {problems.map(({ column, value, message }) => (
            <li key={`${column} ${message}`}>
              {column === '' ? message : `${column}: ${message}`}
              {value !== '' && <span className="muted"> (“{value}”)</span>}
            </li>
          ))}
        </ul>
      )}
    </td>
    <th scope="row">
      {name ?? '–'}
      {email && (
        <>
          <br />
          <span className="muted">{email}</span>
        </>
      )}
      {place && (
        <>
          <br />
          <span className="muted">{place}</span>
        </>
      )}
    </th>
  </tr>
);
