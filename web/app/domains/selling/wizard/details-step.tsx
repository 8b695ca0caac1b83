import { categories, findCategory, mainCategories } from '@handwise/contract/listings/categories';
import { isTradeOpen } from '@handwise/contract/site/open';
import { ApiError } from '../../../lib/api-error.ts';
import { serviceDescriptionLength } from '@handwise/contract/selling/form-rules';
import { type ListingDetailsForm, listingDetailsForm } from '@handwise/contract/selling/forms';
import { type ReactNode, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { useUnderstood } from '../../../lib/use-understood.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { SelectField, TextArea, TextCounter, TextField } from '../../../ui/forms/form-field.tsx';
import { mainNames, excerptLength } from '../../../lib/format.ts';
import { understandJob } from '../../search/quote-requests/quote-request-queries.ts';
import { FactFields } from '../fields/fact-fields.tsx';
import { splitFacts } from '../fields/fact-form.ts';
import { type FactTexts, factTexts, withFacts } from '../fields/fact-schema.ts';
import { checkLicence } from '../fields/licence-queries.ts';
import { PhotoPicker } from '../fields/photo-picker.tsx';
import type { Photo } from '../fields/photo-rules.ts';
import { ServiceAreaFields, checkBase } from '../fields/service-area-fields.tsx';
import type { Draft } from './wizard-checks.ts';
import { StepActions } from './wizard-frame.tsx';
import form from './wizard-form.module.css';

type DetailsForm = ListingDetailsForm & FactTexts;

type DetailsStepProps = {
  draft: Draft;
  update: (change: Partial<Draft>) => void;
  photos: readonly Photo[];
  onPhotos: (change: (photos: readonly Photo[]) => readonly Photo[]) => void;
  /** How many photos the chosen plan shows. */
  maxPhotos: number;
  /** The chosen plan. */
  plan: ReactNode;
  onBack: (() => void) | null;
  onDone: () => void;
};

/** A trade may have been closed after the draft was written. Throws an error of its field. */
function checkOpen(category: string): void {
  if (isTradeOpen(findCategory(category)?.slug ?? '')) return;
  const message = `We take no new listings in ${category} at the moment`;
  throw new ApiError(400, 'invalid_input', message, [{ field: 'category', message }]);
}

/** Step 2.2: the listing, with pictures. */
export function DetailsStep({ draft, update, photos, onPhotos, maxPhotos, plan, onBack, onDone }: DetailsStepProps) {
  const { listing } = draft;
  const country = draft.business.country || 'NZ';
  const queries = useQueryClient();
  const [schema] = useState(() => withFacts<DetailsForm>(listingDetailsForm.safeExtend(factTexts), country));
  const checked = useCheckedForm<DetailsForm>({
    name: 'listing-details',
    schema,
    // The schema reports a missing main category.
    start: { ...(listing as ListingDetailsForm), ...draft.facts },
    send: async ({ base, category, subCategory, ...values }) => {
      checkOpen(category);
      await checkBase(draft.business.district, base);
      await checkLicence(queries, { region: draft.business.region, category, subCategory }, values);
      onPhotos((now) => now.slice(0, maxPhotos));
      onDone();
    },
    onChange: (values) => {
      const [facts, texts] = splitFacts(values);
      update({ listing: texts, facts });
    },
  });
  const { field, choose, errorOf } = checked;
  const described = { text: listing.title, category: listing.category, startsChosen: listing.category !== '' };
  const { isRead, chosen } = useUnderstood(described, understandJob, ({ category, subCategory }) => {
    const group = findCategory(category);
    if (!group || !isTradeOpen(group.slug)) return;
    choose('mainCategory', group.mainCategory);
    choose('category', group.name);
    choose('subCategory', subCategory);
  });
  const offered = categories.filter((one) => one.mainCategory === listing.mainCategory && isTradeOpen(one.slug));
  const subCategories = offered.find((one) => one.name === listing.category)?.subCategories ?? [];
  return (
    <form {...checked.form} className={form.form}>
      <ErrorSummary {...checked.summary} />
      {plan}
      <PhotoPicker photos={photos} onChange={onPhotos} max={maxPhotos} beyond="Over your plan’s limit: removed when you continue" />
      <TextField
        label="Title"
        autoComplete="off"
        hint="What people search for, such as “Emergency plumbing in Taupō”."
        {...field('title')}
      />
      <div className={form.places}>
        <SelectField
          label="Main category"
          name="mainCategory"
          value={listing.mainCategory}
          error={errorOf('mainCategory')}
          onChange={(event) => {
            chosen();
            choose('mainCategory', event.target.value as ListingDetailsForm['mainCategory']);
            choose('category', '');
            choose('subCategory', '');
          }}
        >
          {!listing.mainCategory && <option value="">Choose a main category</option>}
          {mainCategories.map((main) => (
            <option key={main} value={main}>
              {mainNames[main]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Category"
          name="category"
          value={listing.category}
          disabled={!listing.mainCategory}
          error={errorOf('category')}
          onChange={(event) => {
            chosen();
            choose('category', event.target.value);
            choose('subCategory', '');
          }}
        >
          <option value="">{listing.mainCategory ? 'Choose a category' : 'Select a main category first'}</option>
          {offered.map(({ slug, name }) => (
            <option key={slug} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Sub-category"
          optional
          name="subCategory"
          value={listing.subCategory}
          disabled={subCategories.length === 0}
          error={errorOf('subCategory')}
          onChange={(event) => {
            chosen();
            choose('subCategory', event.target.value);
          }}
        >
          <option value="">{listing.category ? 'No sub-category' : 'Select a category first'}</option>
          {subCategories.map(({ slug, name }) => (
            <option key={slug} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <p className={form.read} role="status">
        {isRead && 'We chose the category from your title. Change it if that’s wrong.'}
      </p>
      <TextArea
        label="Description"
        rows={8}
        hint={`At least ${serviceDescriptionLength.min} characters. The first ${excerptLength} appear on the card in the search.`}
        {...field('description')}
        after={<TextCounter text={listing.description} max={serviceDescriptionLength.max} />}
      />
      <ServiceAreaFields
        region={draft.business.region}
        district={draft.business.district}
        values={listing}
        field={field}
        onDistricts={(districts) => choose('serviceDistricts', districts)}
        error={errorOf('serviceDistricts')}
      />
      <FactFields
        country={country}
        work={{ region: draft.business.region, category: listing.category, subCategory: listing.subCategory }}
        values={draft.facts}
        field={field}
        onHours={(hours) => choose('hours', hours)}
        onAnswer={(answer) => choose('licenceAnswer', answer)}
        onRegister={(register) => choose('licenceRegister', register)}
        onFlag={choose}
        errorOf={errorOf}
      />
      <StepActions onBack={onBack}>
        <Button type="submit" busy={checked.busy}>
          Continue
        </Button>
      </StepActions>
    </form>
  );
}
