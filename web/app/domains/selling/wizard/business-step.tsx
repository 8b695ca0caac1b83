import { type BusinessDetailsForm, businessDetailsForm, businessInfoLength } from '@handwise/contract/selling-forms';
import type { CountryCode } from '@handwise/contract/markets';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea, TextCounter, TextField } from '../../../ui/forms/form-field.tsx';
import { LocationFields } from '../fields/location-fields.tsx';
import { LogoPicker } from '../fields/logo-picker.tsx';
import { ServicesText } from '../fields/services-text.tsx';
import type { Draft } from './wizard-draft.ts';
import { StepActions } from './wizard-frame.tsx';
import form from './wizard-form.module.css';

type BusinessStepProps = {
  draft: Draft;
  update: (change: Partial<Draft>) => void;
  market: CountryCode | null;
  logo: File | null;
  onLogo: (logo: File | null) => void;
  onDone: () => void;
};

export const businessWords = { title: 'Tell us about your business', intro: 'This is what people see beside each of your listings.' };

/** Step 1: who offers the service, and where. */
export function BusinessStep({ draft, update, market, logo, onLogo, onDone }: BusinessStepProps) {
  const { business } = draft;
  const checked = useCheckedForm<BusinessDetailsForm>({
    name: 'business-details',
    schema: businessDetailsForm,
    // A country that is not chosen yet is what the schema then complains of.
    start: business as BusinessDetailsForm,
    // The fields are kept as they were typed, not as the schema tidies them.
    send: onDone,
    onChange: (values) => update({ business: values }),
  });
  const { field, choose } = checked;
  return (
    <form {...checked.form} className={form.form}>
      <ErrorSummary {...checked.summary} />
      <LogoPicker
        name={business.businessName}
        file={logo}
        color={draft.logoColor}
        onFile={onLogo}
        onColor={(color) => update({ logoColor: color as Draft['logoColor'] })}
      />
      <TextField label="Business name" autoComplete="organization" {...field('businessName')} />
      <TextField
        label="Business email"
        type="email"
        inputMode="email"
        autoComplete="email"
        hint="For messages from customers. It is never shown. We send a link there to confirm it; until then emails go to your account’s address."
        {...field('businessEmail')}
      />
      <div className={form.places}>
        <LocationFields
          market={market}
          value={business}
          errorOf={checked.errorOf}
          onChange={(place) => {
            choose('country', place.country as BusinessDetailsForm['country']);
            choose('region', place.region);
            choose('district', place.district);
          }}
        />
      </div>
      <ServicesText
        label="Services"
        autoComplete="off"
        placeholder="Drain cleaning, Hot water, Leaks"
        hint="What you offer, separated by commas."
        {...field('services')}
        typed={business.services}
        onRemove={(rest) => choose('services', rest)}
      />
      <TextArea
        label="About your business"
        hint={`At least ${businessInfoLength.min} characters: your experience, what you are proud of and how you work.`}
        {...field('aboutBusiness')}
        after={<TextCounter text={business.aboutBusiness} max={businessInfoLength.max} />}
      />
      <TextField
        label="Website"
        optional
        type="url"
        inputMode="url"
        autoComplete="url"
        placeholder="yourbusiness.co.nz"
        {...field('website')}
      />
      <StepActions>
        <Button type="submit" busy={checked.busy}>
          Continue
        </Button>
      </StepActions>
    </form>
  );
}
