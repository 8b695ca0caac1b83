import type { OutputOf } from '@handwise/contract/calls';
import { adminPaths } from '@handwise/contract/admin/paths';
import { categories } from '@handwise/contract/listings/categories';
import { markets } from '@handwise/contract/markets';
import { changeSettingsCall, type SettingName, siteSettings, type SiteSettings } from '@handwise/contract/site/settings';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import styles from '../../domains/admin/desk/admin.module.css';
import caseStyles from '../../domains/admin/desk/case.module.css';
import { formatTime, Loaded, Scroll, TableHead } from '../../domains/admin/desk/list-parts.tsx';
import previewStyles from '../../domains/site/settings-preview.module.css';
import { OpenField } from '../../domains/site/open-field.tsx';
import { LogoField } from '../../domains/site/logo-field.tsx';
import { NewlyUnmet, SettingsPreview } from '../../domains/site/settings-preview.tsx';
import { settings, useSettingsChange } from '../../domains/site/settings-queries.ts';
import { settingWords } from '../../domains/site/settings-words.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea, TextField } from '../../ui/forms/form-field.tsx';
import type { Route } from './+types/admin-settings';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Settings', description: 'Whose site this is.', path: adminPaths.settings, noIndex: true });

export default function AdminSettingsPage() {
  const query = useQuery(settings);
  const [draft, setDraft] = useState<Draft | null>(null);
  return (
    <div className={styles.stack}>
      <h1>Settings</h1>
      <p>
        Whose site this is. Changes reach every server within five seconds; pages that people have open change when they load them again.
        Tax invoices that were issued stay as they are. A new price is for new purchases: plans that run end as they were bought, and a
        renewal at a higher price waits until its seller agrees to it. A country or trade that is closed takes no new listings; those that
        run stay as bought until they end, and visitors are led to them; once none is left, it leaves the lists of visitors within ten
        minutes. A plan is renewed, or changed at a price, only while one of its listings is open and not hidden; all its listings go on
        with it.
      </p>
      <Loaded query={query}>
        {(stored) => (
          <>
            <SettingsForm key={stored.version} stored={stored} draft={draft} onDraft={setDraft} />
            <History changes={stored.history} />
          </>
        )}
      </Loaded>
    </div>
  );
}

type Stored = OutputOf<'GET /admin/settings'>;
type Typed = SiteSettings & { reason: string; acceptsUnmet: boolean };
/** What is typed and not saved, and the settings that it began with. */
type Draft = { values: Typed; began: Stored };

const formSchema = siteSettings.extend({ reason: changeSettingsCall.body.shape.reason, acceptsUnmet: z.boolean() });
const names = Object.keys(settingWords) as SettingName[];
const groups = [...new Set(names.map((name) => settingWords[name].group))];

const openOptions = {
  closedCountries: {
    legend: 'Countries that take new listings',
    options: Object.entries(markets).map(([value, { name }]) => ({ value, name })),
  },
  closedTrades: {
    legend: 'Trades that take new listings',
    options: categories.map(({ slug: value, name }) => ({ value, name })),
  },
};

const promotionOf = ({ prize, permitNsw, permitSa, permitAct, permitNt }: SiteSettings) => ({
  prize,
  permitNsw,
  permitSa,
  permitAct,
  permitNt,
});

/** The new settings, with those over them that were typed before somebody else changed the rest. */
function mergeDraft({ values, began }: Draft, { settings: now }: Stored): Typed {
  const own = names.filter((name) => values[name] !== began.settings[name]);
  const isPromotionSame = Object.keys(promotionOf(now)).every((name) => now[name as SettingName] === began.settings[name as SettingName]);
  return {
    ...now,
    ...Object.fromEntries(own.map((name) => [name, values[name]])),
    reason: values.reason,
    // A yes holds for the prize and permits that it was given to.
    acceptsUnmet: values.acceptsUnmet && isPromotionSame,
  };
}

type FormProps = { stored: Stored; draft: Draft | null; onDraft: (draft: Draft | null) => void };

function SettingsForm({ stored, draft, onDraft }: FormProps) {
  // What others have changed since the draft began.
  const [{ start, news }] = useState(() => {
    if (!draft) return { start: { ...stored.settings, reason: '', acceptsUnmet: false }, news: [] };
    return { start: mergeDraft(draft, stored), news: stored.history.filter(({ version }) => version > draft.began.version) };
  });
  const [values, setValues] = useState<Typed>(start);
  const keep = useCallback(
    (next: Typed) => {
      onDraft({ values: next, began: stored });
      setValues(next);
    },
    [onDraft, stored],
  );
  const [isUploading, setUploading] = useState(false);
  const change = useSettingsChange();
  const { form, field, choose, errorOf, summary, busy } = useCheckedForm<Typed>({
    name: 'settings',
    schema: formSchema,
    start,
    onChange: keep,
    send: ({ reason, acceptsUnmet, ...settings }) =>
      change({ values: settings, version: stored.version, reason, acceptsUnmet }, (message) => {
        onDraft(null);
        toast(message);
      }),
  });
  return (
    <form {...form} className={caseStyles.form}>
      {news.length > 0 && <News changes={news} stored={stored.settings} values={values} />}
      <ErrorSummary {...summary} />
      {groups.map((group) => (
        <fieldset key={group} className={previewStyles.group}>
          <legend>
            <h2>{group}</h2>
          </legend>
          {names
            .filter((name) => settingWords[name].group === group)
            .map((name) =>
              name === 'logo' ? (
                <LogoField
                  key={name}
                  value={values.logo}
                  error={errorOf('logo')}
                  onChoose={(logo) => choose('logo', logo)}
                  onPending={setUploading}
                />
              ) : name === 'closedCountries' || name === 'closedTrades' ? (
                <OpenField
                  key={name}
                  id={`field-settings-${name}`}
                  {...openOptions[name]}
                  closed={values[name]}
                  before={stored.settings[name]}
                  live={stored.live}
                  error={errorOf(name)}
                  onChange={(closed) => choose(name, closed)}
                />
              ) : (
                <TextField key={name} label={settingWords[name].label} hint={settingWords[name].hint} {...field(name)} />
              ),
            )}
        </fieldset>
      ))}
      <SettingsPreview values={values} />
      <NewlyUnmet
        values={promotionOf(values)}
        before={stored.settings}
        isAccepted={values.acceptsUnmet}
        error={errorOf('acceptsUnmet')}
        onChange={(yes) => choose('acceptsUnmet', yes)}
      />
      <TextArea label="Why are you changing this?" rows={2} hint="It stays in the history and in the audit log" {...field('reason')} />
      <div>
        <Button type="submit" busy={busy || isUploading}>
          {busy ? 'Saving…' : isUploading ? 'The logo is uploading…' : 'Save the settings'}
        </Button>
      </div>
    </form>
  );
}

/** What others have changed meanwhile, and which of it saving would replace. It takes the focus, because the form is a new one. */
function News({ changes, stored, values }: { changes: Stored['history']; stored: SiteSettings; values: Typed }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const changed = new Set(changes.flatMap(({ after }) => Object.keys(after)));
  const replaced = names.filter((name) => changed.has(name) && values[name] !== stored[name]);
  return (
    <section ref={box} className={previewStyles.preview} role="alert" tabIndex={-1}>
      <h2>The settings have changed since you opened them</h2>
      <p>What you typed is kept and not saved yet. Look at these changes, then save again.</p>
      <ul>
        {changes.map(({ version, by, reason, before, after }) => (
          <li key={version}>
            {by ?? 'By hand in the database'}, “{reason}”: <Changed before={before} after={after} />
          </li>
        ))}
      </ul>
      {replaced.length > 0 && <p>Saving replaces theirs with yours: {replaced.map(labelOf).join(', ')}.</p>}
    </section>
  );
}

const labelOf = (name: string) => settingWords[name as SettingName]?.label ?? name;
const Value = ({ name, value }: { name: string; value: string | undefined }) =>
  name === 'logo' && value ? <img src={value} width={24} height={24} alt="Logo" /> : value || '–';

const Changed = ({ before, after }: Pick<Stored['history'][number], 'before' | 'after'>) =>
  Object.keys(after).map((name) => (
    <span key={name} className={styles.change}>
      {labelOf(name)}: <Value name={name} value={before[name]} /> → <Value name={name} value={after[name]} />
    </span>
  ));

const History = ({ changes }: { changes: Stored['history'] }) => (
  <section className={styles.stack} aria-labelledby="settings-history">
    <h2 id="settings-history">History</h2>
    {changes.length === 0 ? (
      <p className="muted">Nothing has been changed yet: all values come from the environment.</p>
    ) : (
      <Scroll label="Changes to the settings">
        <table className={styles.table}>
          <TableHead columns={['When', 'Who', 'Why', 'Change']} />
          <tbody>
            {changes.map((change) => (
              <tr key={change.version}>
                <td data-time>{formatTime(change.changedAt)}</td>
                <td>{change.by ?? 'By hand in the database'}</td>
                <td>{change.reason}</td>
                <td>
                  <Changed before={change.before} after={change.after} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    )}
  </section>
);
