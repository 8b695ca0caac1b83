import { formatNames, maxLogoBytes } from '@handwise/contract/pictures';
import { useMutation } from '@tanstack/react-query';
import { upload } from '../../lib/upload.ts';
import { formatMegabytes } from '../../lib/format.ts';
import { Button } from '../../ui/forms/button.tsx';
import { PictureInput } from '../../ui/forms/picture-input.tsx';
import styles from './settings-preview.module.css';

type LogoFieldProps = {
  value: string;
  error: string | undefined;
  onChoose: (logo: string) => void;
  onPending: (isPending: boolean) => void;
};

/** The logo of the site: uploaded at once, shown to others once the settings are saved. */
export function LogoField({ value, error, onChoose, onPending }: LogoFieldProps) {
  const id = 'field-settings-logo';
  const sent = useMutation({
    mutationFn: (file: File) => upload('POST /admin/settings/logo', { form: {}, files: { logo: [file] } }, () => {}),
    onMutate: () => onPending(true),
    onSuccess: ({ logo }) => onChoose(logo),
    onSettled: () => onPending(false),
  });
  const problem = error ?? sent.error?.message;
  return (
    <div className={styles.logo} role="group" aria-labelledby={`${id}-label`}>
      <label id={`${id}-label`} htmlFor={id}>
        Logo
      </label>
      <span className="muted" id={`${id}-hint`}>
        {formatNames}, max {formatMegabytes(maxLogoBytes)}; best square, on a transparent ground. In place of the built-in mark on pages, in
        emails and documents, and as the icon on phones.
      </span>
      {value !== '' && <img src={value} width={72} height={72} alt="The logo" className={styles.picture} />}
      <PictureInput
        id={id}
        aria-describedby={`${id}-hint ${id}-problem`}
        aria-invalid={problem ? true : undefined}
        disabled={sent.isPending}
        onTake={([file]) => file && sent.mutate(file)}
      />
      <span id={`${id}-problem`} role="status" className={problem ? styles.problem : 'muted'}>
        {sent.isPending ? 'Uploading…' : problem}
      </span>
      {value !== '' && (
        <div>
          <Button kind="quiet" size="sm" onClick={() => onChoose('')}>
            Remove the logo
          </Button>
        </div>
      )}
    </div>
  );
}
