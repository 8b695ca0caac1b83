import { z } from 'zod';

/** Every error that the API answers with: its HTTP status and the text that people read. */
export const errors = {
  invalid_input: { status: 400, message: 'Please check the marked fields.' },
  malformed_request: { status: 400, message: 'The request could not be read.' },
  not_authenticated: { status: 401, message: 'You need to be logged in to access this content.' },
  invalid_credentials: { status: 401, message: 'Email or password is incorrect.' },
  forbidden: { status: 403, message: 'You do not have access to this.' },
  cross_origin: { status: 403, message: 'Requests from other sites are not accepted.' },
  route_not_found: { status: 404, message: 'There is nothing at this address.' },
  listing_not_found: { status: 404, message: 'This listing could not be found.' },
  /** It was there once. The API treats it as missing, its page as gone (410). */
  listing_gone: { status: 404, message: 'This listing is no longer available.' },
  username_taken: { status: 409, message: 'This username is already taken.' },
  email_taken: { status: 409, message: 'An account with this email already exists. Sign in instead.' },
  body_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send this request as JSON.' },
  too_many_requests: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  internal: { status: 500, message: 'An unexpected error occurred' },
  unavailable: { status: 503, message: 'The service is starting or its database does not answer. Please try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errors;

/** The body of every answer that is not a success. `errors` names the fields at fault, where there are any. */
export const errorBody = z.object({
  message: z.string(),
  code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;
