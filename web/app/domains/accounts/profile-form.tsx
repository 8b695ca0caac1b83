import { aboutLength, type Profile, profileForm, type ProfileForm as Values, type ProfileForm } from '@handwise/contract/accounts/profile';
import { passwordLength } from '@handwise/contract/accounts/calls';
import { useState, useEffect } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { getDeviceHeaders, saveDevice } from '../../lib/session/device.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { PasswordField, TextArea, TextCounter, TextField } from '../../ui/forms/form-field.tsx';
import styles from './profile-form.module.css';
import { useSaveProfile } from './account-queries.ts';

const successMs = 3000;
const problemMs = 5000;
const noPasswords = { password: '', newPassword: '', confirmPassword: '' };

/** Checks the current password before the form is sent, so that a wrong one does not fail the other changes. */
async function verify(currentPassword: string) {
  const message = 'Current password is incorrect';
  const body = { currentPassword };
  const isValid = await withFormErrors(
    'Failed to verify password',
    async () => (await call('POST /auth/check-password', { headers: getDeviceHeaders(), body })).isValid,
  );
  if (!isValid) throw new ApiError(400, 'invalid_input', message, [{ field: 'password', message }]);
}

const send = (changes: Changes) =>
  withFormErrors('Failed to update account', () => call('PUT /auth/update', { headers: getDeviceHeaders(), body: changes }));

/** Name, phone number, address, a few words, and a new password. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const saveProfile = useSaveProfile();
  const [done, showDone] = useTransientText(successMs);
  const [problem, showProblem] = useTransientText(problemMs);
  const [about, setAbout] = useState(profile.about);

  async function save(values: Values) {
    const changes = getChanges(profile, values);
    if (changes === null) throw new ApiError(400, 'invalid_input', 'No changes detected');
    if (changes.currentPassword !== undefined) await verify(changes.currentPassword);
    const { data, device } = await send(changes);
    if (device !== undefined) saveDevice(device);
    saveProfile(data);
    for (const [name, empty] of Object.entries(noPasswords)) setValue(name as keyof typeof noPasswords, empty);
    showDone('Account updated successfully');
  }

  const { fullName, phoneNumber, address } = profile;
  const { form, field, summary, busy, setValue } = useCheckedForm<Values>({
    name: 'profile',
    schema: profileForm,
    start: { fullName, phoneNumber, address, about: profile.about, ...noPasswords },
    send: async (values) => {
      showDone(undefined);
      showProblem(undefined);
      try {
        await save(values);
      } catch (error) {
        showProblem(error instanceof ApiError ? error.message : 'Failed to update account');
        throw error;
      }
    },
    onChange: (values) => setAbout(values.about),
  });

  return (
    <form {...form} className={styles.form}>
      <ErrorSummary {...summary} message={problem} />
      <TextField label="Full name" autoComplete="name" {...field('fullName')} />
      <TextField label="Username" readOnly value={profile.username} hint="It cannot be changed." />
      <TextField label="Email" type="email" readOnly value={profile.email} />
      <TextField
        label="Phone number"
        optional
        type="tel"
        autoComplete="tel"
        inputMode="tel"
        hint="A New Zealand or Australian number. Nobody else sees it."
        {...field('phoneNumber')}
      />
      <TextArea label="Address" optional rows={2} autoComplete="street-address" hint="Nobody else sees it." {...field('address')} />
      <TextArea
        label="About"
        optional
        rows={4}
        hint="A few words about yourself. Nobody else sees them."
        after={<TextCounter text={about} max={aboutLength} />}
        {...field('about')}
      />
      <fieldset className={styles.passwords} hidden={!profile.hasPassword}>
        <legend>Change your password</legend>
        <p className={styles.hint}>Leave these empty to keep the one you have. A new one signs out every other device.</p>
        <PasswordField label="Current password" autoComplete="current-password" {...field('password')} />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint={`At least ${passwordLength.min} characters.`}
          {...field('newPassword')}
        />
        <PasswordField label="Confirm new password" autoComplete="new-password" {...field('confirmPassword')} />
      </fieldset>
      <div className={styles.foot}>
        <Button type="submit" busy={busy}>
          {busy ? 'Saving...' : 'Save changes'}
        </Button>
        <div role="status">{done !== undefined && <Notice kind="success">{done}</Notice>}</div>
      </div>
    </form>
  );
}

/** A notice that disappears after a while. Setting the same text again restarts its time. */
function useTransientText(ms: number): [text: string | undefined, say: (text: string | undefined) => void] {
  const [notice, setNotice] = useState<{ text: string | undefined }>();
  useEffect(() => {
    if (notice?.text === undefined) return;
    const timer = setTimeout(() => setNotice(undefined), ms);
    return () => clearTimeout(timer);
  }, [notice, ms]);
  return [notice?.text, (text) => setNotice({ text })];
}

type SavedProfile = Pick<Profile, 'fullName' | 'phoneNumber' | 'address' | 'about'>;
type Changes = Partial<SavedProfile> & { password?: string; currentPassword?: string };

const texts = ['fullName', 'phoneNumber', 'address', 'about'] as const satisfies (keyof SavedProfile)[];

/** The changed fields, or null if there are none. */
export function getChanges(saved: SavedProfile, form: ProfileForm): Changes | null {
  const changes: Changes = Object.fromEntries(texts.filter((name) => form[name] !== saved[name]).map((name) => [name, form[name]]));
  if (form.newPassword !== '') Object.assign(changes, { password: form.newPassword, currentPassword: form.password });
  return Object.keys(changes).length === 0 ? null : changes;
}

// The form asks for three passwords, and calls the current one as the specification does.
const fieldOf: Partial<Record<string, string>> = { password: 'newPassword', currentPassword: 'password' };

/** A rejection with the form's field names, in the server's words if it has some. */
function formError(error: unknown, otherwise: string): ApiError {
  if (!(error instanceof ApiError)) return new ApiError(500, 'internal', otherwise);
  const notice = error.status >= 400 && error.status < 500 ? error.message : otherwise;
  const fields = error.fieldErrors.map(({ field, message }) => ({ field: fieldOf[field] ?? field, message }));
  return new ApiError(error.status, error.code, notice, fields);
}

/** Runs a request and converts its failure to what the form shows. */
export async function withFormErrors<Result>(otherwise: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw formError(error, otherwise);
  }
}
