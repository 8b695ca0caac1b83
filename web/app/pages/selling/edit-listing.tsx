import { paths } from '@handwise/contract/paths';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ownListingQuery } from '../../domains/selling/own/my-listings-queries.ts';
import { ApiError } from '../../lib/api-error.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import type { Route } from './+types/edit-listing';
import { OwnListingHead, OwnListingPage, NotYours } from '../../domains/selling/own/own-listing-head.tsx';
import { categories, mainCategories, mainCategoryNames } from '@handwise/contract/listings/categories';
import type { Listing } from '@handwise/contract/listings/calls';
import { businessInfoLength, serviceDescriptionLength } from '@handwise/contract/selling/form-rules';
import { isTradeOpen } from '@handwise/contract/site/open';
import { markets } from '@handwise/contract/markets';
import { plans } from '@handwise/contract/plans/table';
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useBlocker, useNavigate } from 'react-router';
import { upload } from '../../lib/upload.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { SelectField, TextArea, TextCounter, TextField } from '../../ui/forms/form-field.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import {
  getLogoColor,
  createEditForm,
  type EditForm,
  toEditInput,
  getEditStart,
  type LogoChange,
  listStoredPhotos,
} from '../../domains/selling/edit/edit-form.ts';
import styles from './edit-listing.module.css';
import { BusinessContactFields } from '../../domains/selling/fields/business-contact-fields.tsx';
import { FactFields } from '../../domains/selling/fields/fact-fields.tsx';
import { fieldLabels } from '../../domains/selling/fields/field-labels.ts';
import { LocationFields } from '../../domains/selling/fields/location-fields.tsx';
import { LogoPicker } from '../../domains/selling/fields/logo-picker.tsx';
import { PhotoPicker } from '../../domains/selling/fields/photo-picker.tsx';
import type { Photo } from '../../domains/selling/fields/photo-rules.ts';
import { ServiceAreaFields } from '../../domains/selling/fields/service-area-fields.tsx';
import { ServicesField } from '../../domains/selling/fields/services-field.tsx';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Edit listing',
    description: 'Change what your listing says and shows.',
    path: paths.editListing(params.listingId),
    noIndex: true,
  });

export default function EditListingPage({ params }: Route.ComponentProps) {
  return (
    <OwnListingPage narrow>
      <Page key={params.listingId} id={params.listingId} />
    </OwnListingPage>
  );
}

function Page({ id }: { id: string }) {
  const { user } = useSession();
  // Loaded once, because a later response would overwrite typed changes.
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...ownListingQuery(id),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const isMissing = error instanceof ApiError && [400, 404].includes(error.status);
  if (isMissing || (data && data.sellerId !== user?._id)) return <NotYours />;
  if (error && !data) {
    return <ErrorDisplay error={{ message: 'Failed to fetch listing details' }} onRetry={() => void refetch()} level={1} />;
  }
  if (!data || !isFetchedAfterMount) return <LoadingView />;
  return (
    <>
      <OwnListingHead title="Edit listing" listing={data} />
      <EditListing listing={data} />
    </>
  );
}

const home = paths.ownListings;

/** The form of the member's own listing: texts, place, services, photos and logo, but not its plan. */
function EditListing({ listing }: { listing: Listing }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [start] = useState(() => getEditStart(listing));
  const [values, setValues] = useState<EditForm>(start);
  const [photos, setPhotos] = useState<readonly Photo[]>(() => listStoredPhotos(listing));
  const [logo, setLogo] = useState<LogoChange>(null);
  const [sent, setSent] = useState<number | null>(null);
  const isSaved = useRef(false);
  const isChanged =
    logo !== null ||
    JSON.stringify(values) !== JSON.stringify(start) ||
    !sameList(
      photos.map((one) => one.id),
      listStoredPhotos(listing).map((one) => one.id),
    );
  const max = plans[listing.plan.planType].photos;
  const [schema] = useState(() => createEditForm(listing.country));

  const { form, field, choose, errorOf, summary, busy } = useCheckedForm({
    name: 'edit-listing',
    schema,
    start,
    labels: fieldLabels,
    onChange: useCallback((next: EditForm) => setValues({ ...next }), []),
    send: async (checked) => {
      try {
        // Photos beyond the plan's limit stay, but no new ones can be added to them.
        if (photos.length > max && photos.some((one) => 'file' in one)) {
          throw new ApiError(400, 'too_many_files', `Your plan shows up to ${max} photos. Remove some before you add new ones.`);
        }
        setSent(0);
        await upload('PUT /listing/:id', toEditInput(listing, checked, photos, logo), setSent);
      } catch (error) {
        toast('Failed to update listing', 'error');
        throw error;
      } finally {
        setSent(null);
      }
      isSaved.current = true;
      toast('Listing updated successfully');
      await Promise.all([queries.invalidateQueries(), navigate(home)]);
    },
  });
  const group = categories.find((one) => one.name === values.serviceCategory);

  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} />
      <Part title="Your service" busy={busy}>
        <TextField label="Service title" {...field('serviceTitle')} />
        <div className={styles.pair}>
          <SelectField label="Category" {...field('serviceCategory', () => choose('serviceSubCategory', ''))}>
            {mainCategories.map((main) => (
              <optgroup key={main} label={mainCategoryNames[main]}>
                {categories
                  .filter((one) => one.mainCategory === main && (one === group || isTradeOpen(one.slug)))
                  .map(({ slug, name }) => (
                    <option key={slug} value={name}>
                      {name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </SelectField>
          <SelectField label="Sub-category" optional {...field('serviceSubCategory')}>
            <option value="">None</option>
            {group?.subCategories.map(({ slug, name }) => (
              <option key={slug} value={name}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <TextArea
          label="Service description"
          hint={`At least ${serviceDescriptionLength.min} characters.`}
          rows={8}
          {...field('serviceDescription')}
        />
        <ServicesField services={values.services} onChange={(services) => choose('services', services)} error={errorOf('services')} />
        <PhotoPicker photos={photos} onChange={setPhotos} max={max} beyond="Not shown under your plan" />
      </Part>

      <Part title="Your business" busy={busy}>
        <TextField label="Business name" autoComplete="organization" {...field('businessTitle')} />
        <BusinessContactFields email={field('businessEmailAddress')} phone={field('businessPhone')} />
        <TextField label="Website" optional inputMode="url" autoComplete="url" {...field('website')} />
        <TextArea
          label="About your business"
          hint={`At least ${businessInfoLength.min} characters.`}
          after={<TextCounter text={values.businessInfo} max={businessInfoLength.max} />}
          {...field('businessInfo')}
        />
        <LogoPicker
          name={values.businessTitle}
          file={logo && 'file' in logo ? logo.file : null}
          src={logo === null ? listing.logo : ''}
          color={logo && 'color' in logo ? logo.color : getLogoColor(listing)}
          onFile={(file) => setLogo(file ? { file } : { color: getLogoColor(listing) })}
          onColor={(color) => setLogo({ color })}
        />
      </Part>

      <Part title="Where you work" busy={busy}>
        <p className={styles.hint}>
          A listing stays in {markets[listing.country].name}, because its plan is paid in {markets[listing.country].currency}.
        </p>
        <LocationFields
          market={listing.country}
          value={{ country: listing.country, region: values.region, district: values.district }}
          onChange={({ region, district }) => {
            choose('region', region);
            choose('district', district);
            // A base belongs to one district.
            choose('base', '');
          }}
          errorOf={(name) => (name === 'country' ? undefined : errorOf(name))}
        />
        <ServiceAreaFields
          region={values.region}
          district={values.district}
          values={values}
          field={field}
          onDistricts={(districts) => choose('serviceDistricts', districts)}
          error={errorOf('serviceDistricts')}
        />
      </Part>

      <Part title="Good to know" busy={busy}>
        <FactFields
          country={listing.country}
          work={{ region: values.region, category: values.serviceCategory, subCategory: values.serviceSubCategory }}
          values={values}
          field={field}
          onHours={(hours) => choose('hours', hours)}
          onAnswer={(answer) => choose('licenceAnswer', answer)}
          onRegister={(register) => choose('licenceRegister', register)}
          onFlag={choose}
          errorOf={errorOf}
          check={listing.registerCheck}
          licenceCheck={listing.licenceCheck}
          limitMinor={listing.withoutLicence?.limitMinor}
        />
      </Part>

      <div className={styles.actions} data-bottom-bar>
        <Button type="submit" busy={busy}>
          {busy ? formatSaving(sent) : 'Save changes'}
        </Button>
        <ButtonLink to={home} kind="quiet">
          Cancel
        </ButtonLink>
      </div>
      <LeaveGuard isChanged={isChanged} isSaved={isSaved} />
    </form>
  );
}

const sameList = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((item, at) => item === other[at]);

const formatSaving = (sent: number | null) =>
  sent !== null && sent > 0 && sent < 1 ? `Uploading, ${Math.round(sent * 100)} %` : 'Saving...';

/** Asks before discarding changes, on navigation and on leaving the site. */
function LeaveGuard({ isChanged, isSaved }: { isChanged: boolean; isSaved: React.RefObject<boolean> }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isChanged && !isSaved.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      if (isChanged && !isSaved.current) event.preventDefault();
    };
    addEventListener('beforeunload', confirmLeaving);
    return () => removeEventListener('beforeunload', confirmLeaving);
  }, [isChanged, isSaved]);
  const stay = () => blocker.reset?.();
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      onClose={stay}
      title="Leave without saving?"
      actions={
        <>
          <Button kind="secondary" onClick={stay}>
            Keep editing
          </Button>
          <Button kind="danger" onClick={() => blocker.proceed?.()}>
            Leave
          </Button>
        </>
      }
    >
      <p>Your changes to this listing are not saved yet.</p>
    </Dialog>
  );
}

/** A card of the form. Its heading is no legend, because Safari draws one on the edge of the card. */
function Part({ title, busy, children }: { title: string; busy: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset className={styles.group} disabled={busy} aria-labelledby={id}>
      <div className={`card ${styles.part}`}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {children}
      </div>
    </fieldset>
  );
}
