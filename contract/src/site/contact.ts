import { z } from 'zod';
import type { Call } from '../call.ts';
import { emailAddress, personName, requiredLines } from '../text-fields.ts';
import { webAddress } from '../web-address.ts';

export const contactMessageMax = 2000;

/** Messages per hour. */
export const contactLimits = { perAddress: 5, perNetwork: 20 } as const;

export const contactForm = z.object({
  fullName: personName(),
  email: emailAddress('Email is required', 'Invalid email format'),
  website: webAddress,
  message: requiredLines('Message is required', contactMessageMax, `Message cannot exceed ${contactMessageMax} characters`),
});

export const sendContactMessageCall = {
  method: 'POST',
  url: '/contact',
  summary: 'Write to the people behind the site',
  details: `The message is kept and emailed to them. At most ${contactLimits.perAddress} an hour from one address.`,
  access: 'public',
  body: z.strictObject({ ...contactForm.shape, website: webAddress.default('') }),
  response: z.object({ message: z.literal('Message sent') }),
  errors: [],
} as const satisfies Call;
