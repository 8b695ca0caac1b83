import { businessInfoLength, listServices } from '@handwise/contract/selling/form-rules';
import type { BusinessDetailsForm } from '@handwise/contract/selling/forms';
import type { CountryCode } from '@handwise/contract/markets';
import type { ComponentProps } from 'react';
import { useResolvedForm } from '../../../lib/forms/resolved-form.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextArea, TextCounter, TextField } from '../../../ui/forms/form-field.tsx';
import { BusinessContactFields } from '../fields/business-contact-fields.tsx';
import { LocationFields } from '../fields/location-fields.tsx';
import { LogoPicker } from '../fields/logo-picker.tsx';
import { checkBase, TownField } from '../fields/service-area-fields.tsx';
import { loadChecks } from './wizard-draft.ts';
import type { BusinessForm, Draft } from './wizard-checks.ts';
import { forOtherWork } from '../fields/fact-form.ts';
import { StepActions } from './wizard-frame.tsx';
import form from './wizard-form.module.css';
import { ServiceChips } from '../fields/services-field.tsx';

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
  const { business, listing } = draft;
  const checked = useResolvedForm<BusinessForm>({
    name: 'business-details',
    resolver: { load: async () => (await loadChecks()).businessResolver },
    // The schema reports a missing country.
    start: { ...(business as BusinessDetailsForm), base: listing.base },
    // The fields stay as typed, not as the schema normalises them.
    send: async ({ district, base }) => {
      await checkBase(district, base);
      onDone();
    },
    onChange: ({ base, ...values }) =>
      update({
        business: values,
        listing: { ...listing, base },
        ...(values.region !== business.region && { facts: forOtherWork(draft.facts) }),
      }),
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
      <BusinessContactFields email={field('businessEmail')} phone={field('businessPhone')} />
      <TownField
        country={market ?? (business.country || null)}
        district={business.district}
        base={listing.base}
        field={field('base')}
        onTown={({ country, region, district, base }) => {
          choose('country', country);
          choose('region', region);
          choose('district', district);
          choose('base', base);
        }}
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
            // A base belongs to one district.
            choose('base', '');
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

type ServicesTextProps = ComponentProps<typeof TextField> & { typed: string; onRemove: (rest: string) => void };

/** Services as comma-separated text, and below it as chips. */
function ServicesText({ typed, onRemove, ...field }: ServicesTextProps) {
  const services = listServices(typed);
  return (
    <TextField
      {...field}
      after={
        <ServiceChips services={services} label="Your services" onRemove={(index) => onRemove(services.toSpliced(index, 1).join(', '))} />
      }
    />
  );
}
