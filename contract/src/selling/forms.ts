import { z } from 'zod';
import { factFields } from '../facts/fields.ts';
import { mainCategories } from '../listings/categories.ts';
import { hasBaseForDistance, lacksBase, serviceAreaFields, serviceAreaForm } from '../listings/service-area.ts';
import type { CountryCode } from '../markets.ts';
import { inWords } from '../numbers.ts';
import { findPhoneProblem, type PhonePlace, phoneNumberLength, readPhoneNumber, wrongPhoneNumber } from '../phone.ts';
import { atMost, emailAddress, line, machineLine, requiredLine, requiredLines } from '../text-fields.ts';
import { webAddress } from '../web-address.ts';
import { businessInfoLength, logoColors, maxPhotos, maxServices, serviceDescriptionLength, listServices } from './form-rules.ts';

const noService = 'At least one service is required';
const serviceLength = 60;
/** One service as sellers type it. */
export const service = line(noService)
  .min(1, noService)
  .max(...atMost(serviceLength, 'characters for a service'));

// The wizard and the calls use different messages for missing texts.
const title = (missing: string) => requiredLine(missing, 120);
// Reads 'Description should be at least 50 characters'.
const businessInfo = (missing: string) =>
  requiredLines(missing, businessInfoLength.max).min(
    businessInfoLength.min,
    `Description should be at least ${businessInfoLength.min} characters`,
  );
// Reads 'Description must be at least 20 characters'.
const serviceDescription = (missing: string) =>
  requiredLines(missing, serviceDescriptionLength.max).min(
    serviceDescriptionLength.min,
    `Description must be at least ${serviceDescriptionLength.min} characters`,
  );

// Blank entries are dropped from lists as well.
const serviceList = z
  .union([z.string(), z.array(z.string())], { error: noService })
  .transform((sent) => (typeof sent === 'string' ? listServices(sent) : sent.filter((one) => one.trim() !== '')))
  .pipe(z.array(service));
const switchText = z.enum(['true', 'false']).transform((text) => text === 'true');

// Without a transform, so that the wizard keeps it as typed; the server stores it in E.164. Whether it needs an area code depends on the place.
export const businessPhone = machineLine()
  .max(phoneNumberLength, { error: wrongPhoneNumber, abort: true })
  .refine((text) => text === '' || findPhoneProblem(text) === undefined, wrongPhoneNumber)
  .meta({ example: '021 345 678', description: 'Public, but only sent to visitors who press “Show number”' });

/** A refinement of a form with a `businessPhone`: asks for an area code that is missing, beside the form's other problems. */
export function completePhone<Form extends { businessPhone: string }>(getPlace: (form: Form) => PhonePlace) {
  const findProblem = (form: Form): string | undefined => {
    const text = form.businessPhone;
    if (typeof text !== 'string' || text.trim() === '' || findPhoneProblem(text) !== undefined) return undefined;
    const read = readPhoneNumber(text, getPlace(form));
    return 'problem' in read ? read.problem : undefined;
  };
  const isComplete = (form: Form) => findProblem(form) === undefined;
  return [
    isComplete,
    { path: ['businessPhone'] as PropertyKey[], error: ({ input }: { input?: unknown }) => findProblem(input as Form), when: () => true },
  ] as const;
}

/** The content fields of create and edit. */
const listingFields = {
  businessTitle: requiredLine('Business name is required', 100),
  businessInfo: businessInfo('Business information is required'),
  serviceDescription: serviceDescription('Service description is required'),
  serviceCategory: requiredLine('Category is required', 60).meta({ example: 'Plumbing' }),
  serviceSubCategory: line().max(60).optional(),
  location: requiredLine('Location is required', 200).meta({
    description: 'district, region, country',
    example: 'Taupō, Waikato, New Zealand',
  }),
  services: serviceList.pipe(
    z
      .array(z.string())
      .min(1, noService)
      .max(...atMost(maxServices, 'services')),
  ),
  website: webAddress.optional(),
  businessPhone: businessPhone.optional(),
  ...serviceAreaFields,
  defaultLogoColor: z.enum(logoColors, `Choose one of the ${inWords(logoColors.length)} colours`).optional(),
  usingDefaultLogo: switchText
    .optional()
    .meta({ description: 'Instead of a logo, show the first letter of the business’s name on defaultLogoColor' }),
  ...factFields,
};

export const listingForm = z.object({
  submissionId: z
    .string({ error: 'Each submission needs an id' })
    .regex(/^[\w-]{8,100}$/, 'Use 8 to 100 letters, digits and hyphens')
    .meta({ description: 'Chosen by the caller for each listing; sending it again gives the same listing' }),
  submissionTimestamp: line().max(40).optional(),
  serviceTitle: title('Listing title is required'),
  businessEmailAddress: emailAddress('Business email is required', 'Invalid email address'),
  servicePlan: z.uuid('Plan selection is required').meta({ description: 'The id of the plan' }),
  paymentId: line().max(200).optional().meta({ description: 'The id of the payment intent that paid for the plan' }),
  isUsingExistingSubscription: switchText.optional(),
  defaultLogoText: line().max(8).optional(),
  ...listingFields,
});

/** Step 1 of the wizard. */
export const businessDetailsForm = z
  .object({
    businessName: listingForm.shape.businessTitle,
    businessEmail: listingForm.shape.businessEmailAddress,
    country: z.enum(['NZ', 'AU'], { error: 'Country is required' }),
    region: requiredLine('Region is required', 60),
    district: requiredLine('District is required', 60),
    services: requiredLine('Services are required', 1000)
      .refine((text) => listServices(text).length > 0, 'Services are required')
      .refine((text) => listServices(text).length <= maxServices, atMost(maxServices, 'services')[1])
      .refine(
        (text) => listServices(text).every((one) => one.length <= serviceLength),
        atMost(serviceLength, 'characters for a service')[1],
      ),
    aboutBusiness: businessInfo('Business description is required'),
    website: webAddress,
    businessPhone,
  })
  .refine(
    ...completePhone(({ country, region }: { businessPhone: string; country: CountryCode; region: string }) => ({ country, region })),
  );
export type BusinessDetailsForm = z.input<typeof businessDetailsForm>;

/** Step 2.2 of the wizard. */
export const listingDetailsForm = z
  .object({
    title: title('Title is required'),
    mainCategory: z.enum(mainCategories, { error: 'Main category is required' }),
    category: listingForm.shape.serviceCategory,
    subCategory: listingForm.shape.serviceSubCategory.unwrap(),
    description: serviceDescription('Description is required'),
    ...serviceAreaForm,
  })
  .refine(hasBaseForDistance, lacksBase);
export type ListingDetailsForm = z.input<typeof listingDetailsForm>;

/** `serviceImageOrder` lists the pictures to keep and the positions of new ones; without it new ones come last. */
export const listingEdit = z.object({
  serviceTitle: title('Service title is required'),
  businessEmailAddress: emailAddress('Email is required', 'Invalid email format'),
  ...listingFields,
  serviceImageOrder: z
    .string()
    .max(8_000)
    .transform((text, context) => {
      try {
        return z.array(line().max(400)).max(maxPhotos).parse(JSON.parse(text));
      } catch {
        context.addIssue('Use a JSON list of picture addresses and "new:0", "new:1", …');
        return z.NEVER;
      }
    })
    .optional()
    .meta({
      example: '["/files/a/b-800.webp","new:0"]',
      description: 'Addresses as in serviceImages, and new:N for uploaded file number N',
    }),
});
