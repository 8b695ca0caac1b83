import { z } from 'zod';
import type { Call } from '../call.ts';
import { phoneNumberLength, readPhoneNumber, wrongPhoneNumber } from '../phone.ts';
import { maxAvatarBytes } from '../pictures.ts';
import { atMost, line, lines, machineLine, secret } from '../text-fields.ts';
import { deviceHeaders, passwordLength, registerForm, sessionUser } from './calls.ts';

export const aboutLength = 500;
const addressLength = 300;

/** A number of New Zealand or Australia, national or with +64 or +61. Stored as typed. */
const phoneNumber = machineLine()
  .max(phoneNumberLength, { error: wrongPhoneNumber, abort: true })
  .superRefine((value, context) => {
    const read = value === '' ? undefined : readPhoneNumber(value);
    if (read && 'problem' in read) context.addIssue(read.problem);
  })
  .meta({ example: '021 345 678' });

const address = lines('Use text here').max(...atMost(addressLength));
const about = lines('Use text here').max(...atMost(aboutLength));

const missingCurrent = 'Current password is required';
const missingNew = 'New password is required';

/**
 * An optional password, empty when left out. Messages: 'Current password must be at least 6 characters' and
 * 'New password must be at least 6 characters'.
 */
const password = (missing: string, name: string) =>
  secret(missing)
    .refine((value) => value === '' || value.length >= passwordLength.min, `${name} must be at least ${passwordLength.min} characters`)
    .max(passwordLength.max, `${name} must be at most ${passwordLength.max} characters`);

const passwordNow = password(missingCurrent, 'Current password');
const newPassword = password(missingNew, 'New password');
/** For calls that someone at an unattended browser must not make. */
export const currentPassword = passwordNow.min(1, { error: missingCurrent, abort: true }).meta({ example: 'pohutukawa-9' });

const profileFields = z.object({ fullName: registerForm.shape.fullName, phoneNumber, address, about });

type Passwords = { password: string; newPassword: string; confirmPassword: string };

const isPasswordChange = (form: Passwords) => [form.password, form.newPassword, form.confirmPassword].some((one) => one !== '');

/** The form of the settings page. The three password fields are all filled or all empty. */
export const profileForm = profileFields
  .extend({ password: passwordNow, newPassword, confirmPassword: z.string() })
  .superRefine((form, context) => {
    if (!isPasswordChange(form)) return;
    const { password, newPassword, confirmPassword } = form;
    const refuse = (field: keyof Passwords, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (password === '') refuse('password', missingCurrent);
    if (newPassword === '') refuse('newPassword', missingNew);
    else if (confirmPassword === '') refuse('confirmPassword', 'New password and confirmation do not match');
    else if (confirmPassword !== newPassword) refuse('confirmPassword', 'Passwords must match');
  });
export type ProfileForm = z.infer<typeof profileForm>;

/** An account as its owner sees it. The phone number, address and description are visible to the owner only. */
const profile = sessionUser.omit({ token: true }).extend({
  phoneNumber: z.string(),
  address: z.string(),
  about: z.string(),
  hasPassword: z.boolean().meta({ description: 'False for an account made with Google or Apple that never chose one' }),
  pendingEmail: z.string().nullable().meta({ description: 'The new email address, which takes over once the link sent to it is opened' }),
});
export type Profile = z.infer<typeof profile>;

export const ownProfile = z.object({ data: profile });

export const getProfileCall = {
  method: 'GET',
  url: '/auth/me',
  summary: 'Get your account, including what only you can see',
  access: 'session',
  response: ownProfile,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const updateProfileCall = {
  method: 'PUT',
  url: '/auth/update',
  summary: 'Change your account',
  details:
    'A new password needs the current one. It ends every session and a pending change of address; the token in the answer starts a new session.',
  access: 'session',
  headers: deviceHeaders,
  body: profileFields
    .extend({
      // A user name never changes, so only the current one is accepted.
      username: line(),
      password: newPassword.min(1, { error: missingNew, abort: true }),
      currentPassword,
    })
    .partial(),
  response: z.object({
    data: profile.extend({ token: z.string() }),
    device: z.string().optional().meta({ description: 'Sent with a new password: replaces the one you kept so far' }),
  }),
  errors: ['not_authenticated', 'busy'],
} as const satisfies Call;

export const checkPasswordCall = {
  method: 'POST',
  url: '/auth/check-password',
  summary: 'Check your password',
  details: 'Attempts count towards the sign-in limit.',
  access: 'session',
  headers: deviceHeaders,
  body: z.object({ currentPassword }),
  response: z.object({ isValid: z.boolean() }),
  errors: ['not_authenticated', 'busy'],
} as const satisfies Call;

export const setAvatarCall = {
  method: 'PUT',
  url: '/auth/avatar',
  summary: 'Set your profile picture',
  access: 'session',
  form: z.object({}),
  files: { avatar: { maxFiles: 1, maxBytes: maxAvatarBytes, required: true } },
  response: ownProfile,
  errors: [
    'not_authenticated',
    'too_many_files',
    'unsupported_picture',
    'picture_too_large',
    'file_too_large',
    'storage_full',
    'storage_unavailable',
  ],
} as const satisfies Call;

export const removeAvatarCall = {
  method: 'DELETE',
  url: '/auth/avatar',
  summary: 'Remove your profile picture',
  access: 'session',
  response: ownProfile,
  errors: ['not_authenticated'],
} as const satisfies Call;
