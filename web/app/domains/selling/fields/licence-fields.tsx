import { licenceRegisters } from '@handwise/contract/registers/licence-registers';
import { formatBelowLimit, isLicenceAsked, licenceAnswers, licenceDisclaimer } from '@handwise/contract/registers/licences';
import type { CountryCode } from '@handwise/contract/markets';
import type { ComponentProps } from 'react';
import { SelectField, TextField } from '../../../ui/forms/form-field.tsx';
import type { FactName } from '@handwise/contract/facts/facts';
import type { FactTexts } from './fact-schema.ts';
import { getLicenceAnswer, type Requirement } from './licence-queries.ts';
import styles from './fact-fields.module.css';

export type LicenceFieldsProps = {
  country: CountryCode;
  values: FactTexts;
  field: (name: FactName) => Pick<ComponentProps<'input'> & ComponentProps<'select'>, 'name' | 'id'> & { error: string | undefined };
  errorOf: (name: FactName) => string | undefined;
  onAnswer: (answer: FactTexts['licenceAnswer']) => void;
  onRegister: (register: FactTexts['licenceRegister']) => void;
};

/** The licence itself. `optional` where the law asks for none, or nobody knows. */
export const LicenceInputs = ({
  country,
  field,
  optional = false,
}: Pick<LicenceFieldsProps, 'country' | 'field'> & { optional?: boolean }) => (
  <>
    <SelectField label="Licence register" optional={optional} {...field('licenceRegister')}>
      <option value="">{optional ? 'No licence' : 'Choose a register'}</option>
      {Object.entries(licenceRegisters)
        .filter(([, one]) => one.country === country)
        .map(([code, one]) => (
          <option key={code} value={code}>
            {one.name}
          </option>
        ))}
    </SelectField>
    <div className={styles.pair}>
      <TextField label="Licence number" optional={optional} autoComplete="off" {...field('licenceNumber')} />
      <TextField label="Licence class" optional={optional} autoComplete="off" hint="As the register has it." {...field('licenceClass')} />
    </div>
    <TextField
      label="Licence holder"
      optional={optional}
      autoComplete="off"
      hint="The person or company, as the register has it."
      {...field('licenceName')}
    />
  </>
);

/** What a business answers where the law asks for a licence. */
export function LicenceQuestion({
  requirement,
  values,
  errorOf,
  onAnswer,
  onRegister,
  ...inputs
}: LicenceFieldsProps & { requirement: Requirement }) {
  if (!isLicenceAsked(requirement)) return null;
  const answer = getLicenceAnswer(values);
  const error = errorOf('licenceAnswer');
  const answers = [
    ['licence', licenceAnswers.licence],
    ['exempt', licenceAnswers.exempt],
    ...(requirement.required === 'above-threshold' ? [['below-limit', formatBelowLimit(requirement.thresholdMinor)] as const] : []),
  ] as const;
  function choose(next: (typeof answers)[number][0]) {
    onAnswer(next);
    // The register that the law names, which most hold.
    if (next === 'licence' && values.licenceRegister === '' && requirement.register)
      onRegister(requirement.register as FactTexts['licenceRegister']);
  }
  return (
    <fieldset className={styles.licence} id="field-licenceAnswer" tabIndex={-1} aria-describedby="licence-hint">
      <legend>Licence</legend>
      <p id="licence-hint" className={styles.hint}>
        {requirement.required === 'yes' ? 'This work needs a licence here' : 'Some of this work needs a licence here'}: {requirement.what}.{' '}
        {licenceDisclaimer}
        {requirement.registerUrl !== '' && (
          <>
            {' '}
            <a href={requirement.registerUrl} target="_blank" rel="noopener noreferrer">
              {requirement.registerName || 'The register'}
            </a>
          </>
        )}
      </p>
      {answers.map(([value, label]) => (
        <label key={value} className={styles.check}>
          <input type="radio" name="licenceAnswer" value={value} checked={answer === value} onChange={() => choose(value)} />
          <span>{label}</span>
        </label>
      ))}
      {error !== undefined && (
        <p className={styles.error} id="field-licenceAnswer-error">
          <span className="visually-hidden">Error: </span>
          {error}
        </p>
      )}
      {answer === 'licence' && <LicenceInputs {...inputs} />}
      {answer === 'exempt' && (
        <TextField
          label="Which exemption"
          autoComplete="off"
          hint="In a few words; it is shown on your listing."
          {...inputs.field('licenceExemption')}
        />
      )}
    </fieldset>
  );
}
