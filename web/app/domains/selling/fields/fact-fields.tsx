import { businessRegisters, getRegister } from '@handwise/contract/registers/business-number';
import type { OwnCheck, OwnLicenceCheck } from '@handwise/contract/registers/calls';
import { isLicenceAsked } from '@handwise/contract/registers/licences';
import { type FactName, factNames, facts, type FlagName, flagNames } from '@handwise/contract/facts/facts';
import { type Weekday, weekdays } from '@handwise/contract/facts/hours';
import { formatCheck, formatLicenceState } from '@handwise/contract/registers/checks';
import type { CountryCode } from '@handwise/contract/markets';
import { paths } from '@handwise/contract/paths';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { getCurrency } from '../../../lib/format.ts';
import { SelectField, TextField } from '../../../ui/forms/form-field.tsx';
import {
  type DayTimes,
  formatHours,
  listOwnDays,
  findSharedTimes,
  forLimit,
  forOtherWork,
  parseHours,
  toggleOwnDay,
  setSharedTimes,
} from './fact-form.ts';
import type { FactTexts } from './fact-schema.ts';
import { LicenceInputs, LicenceQuestion } from './licence-fields.tsx';
import { type Requirement, useLicenceRequirement } from './licence-queries.ts';
import styles from './fact-fields.module.css';

type FactFieldsProps = {
  country: CountryCode;
  /** The place and work, which decide whether a licence is asked for. */
  work: { region: string; category: string; subCategory: string };
  values: FactTexts;
  /** From the form that holds the values. */
  field: (name: FactName) => Pick<ComponentProps<'input'> & ComponentProps<'select'>, 'name' | 'id'> & { error: string | undefined };
  onHours: (hours: string) => void;
  onAnswer: (answer: FactTexts['licenceAnswer']) => void;
  onRegister: (register: FactTexts['licenceRegister']) => void;
  onFlag: (name: FlagName | 'gstRegistered', value: '' | 'true') => void;
  errorOf: (name: FactName) => string | undefined;
  /** The state of the number's check, if the listing has a number. */
  check?: OwnCheck | null | undefined;
  /** The state of the licence's check, if the listing states one. */
  licenceCheck?: OwnLicenceCheck | null | undefined;
  /** The limit that the stored answer named, in cents. */
  limitMinor?: number | null | undefined;
};

const licenceNames = new Set(factNames.filter((name) => name.startsWith('licence')));

/** The licence, where the law asks for one, and optional facts that help customers decide: folded while empty. */
export function FactFields(props: FactFieldsProps) {
  const { country, work, values, field, onHours, onFlag, errorOf, check, licenceCheck } = props;
  const requirement = useLicenceRequirement(work);
  useAnswerForWork(props);
  useAnswerForLimit(props, requirement);
  const isAsked = requirement !== undefined && isLicenceAsked(requirement);
  const folded = factNames.filter((name) => !isAsked || !licenceNames.has(name));
  const [startsOpen] = useState(() => factNames.some((name) => !licenceNames.has(name) && values[name] !== ''));
  const isWrong = folded.some((name) => errorOf(name) !== undefined);
  const hasLicence = !isAsked && values.licenceNumber !== '';
  const register = businessRegisters[getRegister(country)];
  const flag = (name: FlagName | 'gstRegistered', statement: string) => (
    <label key={name} className={styles.check}>
      <input type="checkbox" checked={values[name] === 'true'} onChange={({ target }) => onFlag(name, target.checked ? 'true' : '')} />
      <span>{statement}</span>
    </label>
  );
  const fold = (
    <details className={styles.fold} open={startsOpen || isWrong || hasLicence || undefined}>
      <summary>
        What helps people decide <span className="muted">(optional)</span>
      </summary>
      <div className={styles.fields}>
        <p className={styles.hint}>
          Prices, hours{isAsked ? '' : ', licence'} and a checked {register.number}: leave out what does not fit your business.
        </p>
        <div className={styles.pair}>
          {factNames.map((name) => (
            <PlainField key={name} name={name} country={country} field={field(name)} />
          ))}
        </div>
        <HoursFields hours={values.hours} onChange={onHours} error={errorOf('hours')} />
        {flagNames.map((name) => flag(name, facts[name].statement))}
        {!isAsked && <LicenceInputs country={country} field={field} optional />}
        <TextField
          label={register.number}
          optional
          inputMode="numeric"
          autoComplete="off"
          hint={
            <>
              We ask the {register.name} whether your business is in operation, and show a badge.{' '}
              <Link to={paths.howWeCheck}>How we check</Link>
            </>
          }
          after={check && <p className={styles.state}>{formatCheck(check)}</p>}
          {...field('businessNumber')}
        />
        {country === 'NZ' ? (
          <TextField
            label="GST number"
            optional
            inputMode="numeric"
            autoComplete="off"
            hint="If you are registered. Only your quotes show it."
            {...field('gstNumber')}
          />
        ) : (
          flag('gstRegistered', 'I am registered for GST. Only my quotes say so')
        )}
      </div>
    </details>
  );
  return (
    <>
      {isAsked && <LicenceQuestion {...props} requirement={requirement} />}
      {licenceCheck && (
        <p className={styles.state}>
          {licenceCheck.hidden && licenceCheck.state === 'stated'
            ? 'Your listing does not show your licence until we have found it in the register.'
            : formatLicenceState(licenceCheck)}
        </p>
      )}
      {fold}
    </>
  );
}

type PlainFieldProps = { name: FactName; country: CountryCode; field: ReturnType<FactFieldsProps['field']> };

/** The input of a fact that needs none of its own. */
function PlainField({ name, country, field }: PlainFieldProps) {
  const fact = facts[name];
  if (fact.kind === 'choice')
    return (
      <SelectField label={fact.label} optional {...field}>
        <option value="">Choose</option>
        {Object.entries(fact.choices).map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </SelectField>
    );
  if (fact.kind !== 'amount' && fact.kind !== 'year') return null;
  return (
    <TextField
      label={fact.kind === 'amount' ? `${fact.label}, in ${getCurrency(country)}` : fact.label}
      optional
      inputMode={fact.kind === 'amount' ? 'decimal' : 'numeric'}
      autoComplete="off"
      hint={'hint' in fact && fact.hint}
      {...field}
    />
  );
}

/** Takes an answer away that was given for other work, which another category would hide and yet send. */
function useAnswerForWork({ work, values, onAnswer }: Pick<FactFieldsProps, 'work' | 'values' | 'onAnswer'>) {
  const key = [work.region, work.category, work.subCategory].join('\n');
  const answeredFor = useRef(key);
  useEffect(() => {
    if (answeredFor.current === key) return;
    answeredFor.current = key;
    const { licenceAnswer } = forOtherWork(values);
    if (licenceAnswer !== values.licenceAnswer) onAnswer(licenceAnswer);
  }, [key, values, onAnswer]);
}

/** Takes the stored answer away once if the law's limit is lower now. A new answer accepts that of the law. */
function useAnswerForLimit({ values, limitMinor = null, onAnswer }: FactFieldsProps, requirement: Requirement | undefined) {
  const isSettled = useRef(false);
  useEffect(() => {
    if (!requirement || isSettled.current) return;
    isSettled.current = true;
    const { licenceAnswer } = forLimit(values, requirement, limitMinor);
    if (licenceAnswer !== values.licenceAnswer) onAnswer(licenceAnswer);
  }, [requirement, values, limitMinor, onAnswer]);
}

const days = Object.entries(weekdays) as [Weekday, string][];

type HoursFieldsProps = { hours: string; onChange: (hours: string) => void; error: string | undefined };

/** The hours that Monday to Friday share, and the days that have their own. */
function HoursFields({ hours, onChange, error }: HoursFieldsProps) {
  const [own, setOwn] = useState(() => listOwnDays(hours));
  const times = parseHours(hours);
  const shared = findSharedTimes(times, own);
  function toggle(day: Weekday) {
    const next = own.includes(day) ? own.filter((one) => one !== day) : [...own, day];
    setOwn(next);
    onChange(formatHours(toggleOwnDay(times, day, next)));
  }
  return (
    <fieldset className={styles.hours} aria-describedby="hours-hint">
      <legend>
        Hours <span className="muted">(optional)</span>
      </legend>
      {shared && (
        <>
          <p>Same hours Monday to Friday</p>
          <TimesRow
            name="Mon–Fri"
            label="Monday to Friday"
            times={shared}
            onChange={(change) => onChange(formatHours(setSharedTimes(times, { ...shared, ...change }, own)))}
          />
        </>
      )}
      <div className={styles.exceptions}>
        <p id="own-days">Days with other hours</p>
        <div className={styles.days} role="group" aria-labelledby="own-days">
          {days.map(([day, name]) => (
            <button key={day} type="button" className={styles.day} aria-pressed={own.includes(day)} onClick={() => toggle(day)}>
              {name}
            </button>
          ))}
        </div>
      </div>
      {days
        .filter(([day]) => own.includes(day))
        .map(([day, name]) => (
          <TimesRow
            key={day}
            name={name}
            label={name}
            times={times[day]}
            onChange={(change) => onChange(formatHours({ ...times, [day]: { ...times[day], ...change } }))}
          />
        ))}
      <p className={styles.hoursFieldsHint} id="hours-hint">
        A day without times is closed.
      </p>
      {error !== undefined && (
        <p className={styles.error} id="field-hours-error">
          <span className="visually-hidden">Error: </span>
          {error}
        </p>
      )}
    </fieldset>
  );
}

type TimesRowProps = { name: string; label: string; times: DayTimes; onChange: (change: Partial<DayTimes>) => void };

const TimesRow = ({ name, label, times, onChange }: TimesRowProps) => (
  <div className={styles.row}>
    <span>{name}</span>
    <input type="time" aria-label={`${label}, from`} value={times.from} onChange={({ target }) => onChange({ from: target.value })} />
    <span aria-hidden="true">to</span>
    <input type="time" aria-label={`${label}, until`} value={times.until} onChange={({ target }) => onChange({ until: target.value })} />
  </div>
);
