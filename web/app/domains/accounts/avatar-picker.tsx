import type { Profile } from '@handwise/contract/accounts/profile';
import { formatNames, maxAvatarBytes } from '@handwise/contract/pictures';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { upload } from '../../lib/upload.ts';
import { formatMegabytes } from '../../lib/format.ts';
import { getObjectUrl, hasPictureFormat, findPictureProblem } from '../../lib/pictures/checked-pictures.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { PictureInput } from '../../ui/forms/picture-input.tsx';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import styles from './avatar-picker.module.css';
import { useSaveProfile } from './account-queries.ts';

/** Why a file cannot be the picture, or null. Files that are too large are not decoded, which would be slow. */
async function getProblem(file: File): Promise<string | null> {
  if (file.size > maxAvatarBytes && (await hasPictureFormat(file)))
    return `This picture is larger than ${formatMegabytes(maxAvatarBytes)}. Choose a smaller file.`;
  const problem = await findPictureProblem(file);
  return problem && `“${file.name}” ${problem}`;
}

/** The member's picture. A chosen one is uploaded at once. */
export function AvatarPicker({ profile }: { profile: Profile }) {
  const saveProfile = useSaveProfile();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = (error: Error) => setProblem(error.message);
  const setting = useMutation({
    mutationFn: (file: File) => upload('PUT /auth/avatar', { form: {}, files: { avatar: [file] } }, () => {}),
    onSuccess: ({ data }) => {
      saveProfile(data);
      toast('Picture saved');
    },
    onError: failed,
  });
  const removal = useMutation({
    mutationFn: () => call('DELETE /auth/avatar', {}),
    onSuccess: ({ data }) => {
      saveProfile(data);
      toast('Picture removed');
      // The pressed button is gone.
      input.current?.focus();
    },
    onError: failed,
  });

  async function take(file: File | undefined) {
    if (!file || setting.isPending) return;
    const found = await getProblem(file);
    setProblem(found);
    if (found === null) setting.mutate(file);
  }

  const shown = setting.isPending ? getObjectUrl(setting.variables) : profile.avatar;
  return (
    <div className={styles.picker} role="group" aria-labelledby="avatar-label">
      <Avatar name={profile.fullName} src={shown} size={88} />
      <div className={styles.text}>
        <span id="avatar-label" className={styles.label}>
          Your picture
        </span>
        <span className={styles.hint} id="avatar-hint">
          Shown beside your reviews and messages. {formatNames}, max {formatMegabytes(maxAvatarBytes)}
        </span>
        <div className={styles.actions}>
          <span className={styles.choose} data-busy={setting.isPending || undefined}>
            <label htmlFor="avatar-input">{setting.isPending ? 'Saving...' : profile.avatar ? 'Choose another' : 'Choose a picture'}</label>
            <PictureInput ref={input} id="avatar-input" aria-describedby="avatar-hint" onTake={([file]) => void take(file)} />
          </span>
          {profile.avatar !== '' && (
            <Button kind="quiet" size="sm" busy={removal.isPending} onClick={() => removal.mutate()}>
              Remove picture
            </Button>
          )}
        </div>
        {problem !== null && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}
