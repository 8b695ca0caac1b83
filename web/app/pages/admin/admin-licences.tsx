import { adminPaths } from '@handwise/contract/admin/paths';
import {
  correctLicenceRequirementCall,
  type LicenceClaim,
  recordLicenceCheckCall,
  type StoredRequirement,
} from '@handwise/contract/registers/calls';
import { type LicenceNeed, licenceNeeds, type LicenceResult, licenceResults } from '@handwise/contract/registers/licences';
import { count } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { startTransition, useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { z } from 'zod';
import styles from '../../domains/admin/desk/admin.module.css';
import caseStyles from '../../domains/admin/desk/case.module.css';
import { formatTime, Loaded, Scroll, TableHead } from '../../domains/admin/desk/list-parts.tsx';
import { licenceQueue, licenceRequirements, useLicenceFinding, useRequirementCorrection } from '../../domains/registers/licence-queries.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { SelectField, TextArea, TextField } from '../../ui/forms/form-field.tsx';
import { getRequestedPage, PageLinks } from '../../ui/page/page-links.tsx';
import type { Route } from './+types/admin-licences';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Licences', description: 'Licences to look up.', path: adminPaths.licences, noIndex: true });

export default function AdminLicencesPage() {
  const [search] = useSearchParams();
  const page = getRequestedPage(search.get('page')) ?? 1;
  const queue = useQuery(licenceQueue(page));
  return (
    <div className={styles.stack}>
      <h1>Licences</h1>
      <p>
        Look each licence up in its register and say what is there. One that has ended, is suspended or is somebody else’s is hidden at
        once, and the business is told, with your words for the status. A register that cannot be reached says nothing: leave it for later.
      </p>
      <h2>Waiting to be looked up</h2>
      <Loaded query={queue}>
        {({ claims, totalPages, total }) =>
          total === 0 ? (
            <EmptyState title="Nothing waits to be looked up">
              New licences appear here, and those that were looked up 90 days ago.
            </EmptyState>
          ) : (
            <>
              {claims.map((claim) => (
                <Claim key={`${claim.listingId} ${claim.number}`} claim={claim} />
              ))}
              <PageLinks current={page} total={totalPages} to={(to) => `?page=${to}`} />
            </>
          )
        }
      </Loaded>
      <Requirements />
    </div>
  );
}

const problems = { no_answer: 'The register gave no answer.', not_found: 'The register has nothing under this number.' } as const;

function Claim({ claim }: { claim: LicenceClaim }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <article className={caseStyles.section} aria-label={claim.business}>
      <h3>{claim.business}</h3>
      <p>
        <Link to={paths.listing(claim.listingId)}>{claim.title}</Link>, since {formatTime(claim.queuedAt)}
      </p>
      <p>
        Number <strong>{claim.number}</strong>, held by <strong>{claim.holder}</strong>
        {claim.class !== null && `, class “${claim.class}”`}.{' '}
        <a href={claim.page} target="_blank" rel="noopener noreferrer">
          {claim.registerName}
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      </p>
      {claim.problem && <p className="muted">{problems[claim.problem]}</p>}
      {isOpen ? (
        <FindingForm claim={claim} />
      ) : (
        <div>
          <Button kind="secondary" size="sm" onClick={() => startTransition(() => setOpen(true))}>
            Say what is there<span className="visually-hidden"> for {claim.business}</span>
          </Button>
        </div>
      )}
    </article>
  );
}

const findingSchema = recordLicenceCheckCall.body.omit({ number: true, holder: true });
type Finding = z.input<typeof findingSchema>;

function FindingForm({ claim }: { claim: LicenceClaim }) {
  const send = useLicenceFinding();
  const start: Finding = { result: 'valid', recordUrl: '', foundHolder: '', foundClass: '', foundStatus: '', endsOn: '' };
  const [result, setResult] = useState<LicenceResult>('valid');
  const { form, field, summary, busy } = useCheckedForm<Finding>({
    name: `finding-${claim.listingId}`,
    schema: findingSchema,
    start,
    onChange: (values) => setResult(values.result),
    send: async (values) => {
      const { number, holder, listingId } = claim;
      const { message } = await send.mutateAsync({ params: { listingId }, body: { ...values, number, holder } });
      toast(message);
    },
  });
  return (
    <form {...form} className={caseStyles.form}>
      <ErrorSummary {...summary} />
      <SelectField label="What does the register have?" {...field('result')}>
        {Object.entries(licenceResults).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      {result !== 'not_found' && (
        <>
          <TextField label="Address of the record" type="url" inputMode="url" {...field('recordUrl')} />
          <TextField label="Holder in the register" autoComplete="off" {...field('foundHolder')} />
          <TextField label="Class in the register" optional autoComplete="off" {...field('foundClass')} />
          <TextField label="Status in the register" autoComplete="off" hint="In its words, such as Current." {...field('foundStatus')} />
          <TextField label="Ends on" optional type="date" {...field('endsOn')} />
        </>
      )}
      <div>
        <Button type="submit" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}

const needWords: Record<LicenceNeed, string> = {
  yes: 'Needed',
  'above-threshold': 'Needed from a value, or for a part',
  unsure: 'Not confirmed: nothing is required',
  no: 'Not needed',
};

const formatWork = ({ subCategory, category, state, country }: StoredRequirement) => `${subCategory ?? category}, ${state ?? country}`;

function Requirements() {
  const query = useQuery(licenceRequirements);
  const [open, setOpen] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (open === null) opener.current?.focus();
  }, [open]);
  return (
    <div className={styles.stack}>
      <h2>What the law asks for</h2>
      <Loaded query={query}>
        {({ requirements }) => (
          <>
            {requirements
              .filter((row) => row._id === open)
              .map((row) => (
                <CorrectionForm key={row._id} row={row} onDone={() => startTransition(() => setOpen(null))} />
              ))}
            {/* The form takes the place of the long table, which a slow phone would paint again with each message. */}
            <div hidden={open !== null}>
              <Scroll label="What the law asks for">
                <table className={styles.table}>
                  <TableHead columns={['Where', 'Work', 'Licence', 'What', { hidden: 'Correct' }]} />
                  <tbody>
                    {requirements.map((row) => (
                      <tr key={row._id}>
                        <td>{row.state ?? row.country}</td>
                        <td>{row.subCategory ?? row.category}</td>
                        <td>
                          {needWords[row.confirmed ? row.required : 'unsure']}
                          {row.thresholdMinor !== null && `, from $${count(row.thresholdMinor / 100)}`}
                        </td>
                        <td>{row.what}</td>
                        <td>
                          <Button
                            kind="quiet"
                            size="sm"
                            onClick={({ currentTarget }) => {
                              opener.current = currentTarget;
                              // A slow phone paints the press before it lays out the table again.
                              startTransition(() => setOpen(row._id));
                            }}
                          >
                            Correct<span className="visually-hidden"> {formatWork(row)}</span>
                          </Button>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

const correctionSchema = correctLicenceRequirementCall.body.omit({ thresholdMinor: true }).extend({
  threshold: z.string().regex(/^\d{0,7}$/, 'Use whole dollars, or leave it empty'),
});
type Correction = z.input<typeof correctionSchema>;

function CorrectionForm({ row, onDone }: { row: StoredRequirement; onDone: () => void }) {
  const correction = useRequirementCorrection();
  // The form replaces the table with the pressed button.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { form, field, summary, busy } = useCheckedForm<Correction>({
    name: 'licence-correction',
    schema: correctionSchema,
    start: {
      required: row.required,
      threshold: row.thresholdMinor === null ? '' : String(row.thresholdMinor / 100),
      what: row.what,
      registerName: row.registerName,
      registerUrl: row.registerUrl,
      source: row.source,
      reason: '',
    },
    send: async ({ threshold, ...values }) => {
      const thresholdMinor = threshold === '' ? null : Number(threshold) * 100;
      await correction.mutateAsync({ params: { id: row._id }, body: { ...values, thresholdMinor } });
      toast('Corrected. Listings that now lack an answer have 30 days.');
      onDone();
    },
  });
  return (
    <form {...form} className={caseStyles.form} aria-label={`Correct ${formatWork(row)}`}>
      <h3 ref={heading} tabIndex={-1}>
        {formatWork(row)}
      </h3>
      <ErrorSummary {...summary} />
      <SelectField label="Licence" {...field('required')}>
        {licenceNeeds.map((need) => (
          <option key={need} value={need}>
            {needWords[need]}
          </option>
        ))}
      </SelectField>
      <TextField label="From which value, in dollars" optional inputMode="numeric" {...field('threshold')} />
      <TextField label="Which licence" {...field('what')} />
      <TextField label="Register" optional {...field('registerName')} />
      <TextField label="Address of the register" optional type="url" {...field('registerUrl')} />
      <TextField label="Where this is written" {...field('source')} />
      <TextArea label="Why are you correcting this?" rows={2} hint="It stays in the audit log" {...field('reason')} />
      <div className={styles.actions}>
        <Button type="submit" busy={busy}>
          Save
        </Button>
        <Button kind="secondary" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
