import { formatNames, maxLogoBytes } from '@handwise/contract/pictures';
import { logoColors } from '@handwise/contract/selling/form-rules';
import { IconUpload } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { formatMegabytes } from '../../../lib/format.ts';
import { getObjectUrl } from '../../../lib/pictures/checked-pictures.ts';
import { Avatar } from '../../../ui/pictures/avatar.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { PictureInput, useDropArea } from '../../../ui/forms/picture-input.tsx';
import area from './drop-area.module.css';
import styles from './logo-picker.module.css';
import { getLogoProblem } from './photo-rules.ts';

type LogoPickerProps = {
  /** The business's name: its first letter replaces a missing logo. */
  name: string;
  file: File | null;
  /** The stored logo, shown while `file` is null. */
  src?: string;
  /** One of `logoColors`. */
  color: string;
  /** Null removes the logo, including `src`. */
  onFile: (file: File | null) => void;
  onColor: (color: string) => void;
};

const colorNames = ['Emerald', 'Blue', 'Amber', 'Red', 'Violet', 'Pink', 'Teal', 'Orange', 'Indigo', 'Lime'];

/** A logo by drag or tap with its preview, or a letter on one of ten colours. */
export function LogoPicker({ name, file, src = '', color, onFile, onColor }: LogoPickerProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const hasLogo = file !== null || src !== '';

  async function take([picked]: readonly File[]) {
    if (!picked) return;
    const found = await getLogoProblem(picked);
    setProblem(found);
    if (!found) onFile(picked);
  }
  const input = useRef<HTMLInputElement>(null);
  const drop = useDropArea((files) => void take(files));

  return (
    <div className={styles.picker} role="group" aria-labelledby={`${id}-label`}>
      <span className={styles.label} id={`${id}-label`}>
        Logo <span className={styles.optional}>(optional)</span>
      </span>
      <div {...drop} className={`${area.drop} ${styles.drop}`} role="presentation">
        <Avatar name={name} src={file ? getObjectUrl(file) : src} color={color} size={72} />
        <div className={styles.text}>
          <span className={styles.choose}>
            <IconUpload size={20} stroke={1.75} aria-hidden="true" />
            <label htmlFor={`${id}-input`}>{hasLogo ? 'Choose another logo' : 'Choose a logo'}</label>
          </span>
          <span className={styles.hint} id={`${id}-hint`}>
            {file ? `${file.name}. ` : ''}
            {formatNames}, max {formatMegabytes(maxLogoBytes)}
          </span>
          <PictureInput
            ref={input}
            id={`${id}-input`}
            className={area.input}
            aria-describedby={`${id}-hint`}
            onTake={(files) => void take(files)}
          />
        </div>
      </div>
      {problem && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      {hasLogo ? (
        <div>
          <Button
            kind="quiet"
            size="sm"
            onClick={() => {
              onFile(null);
              input.current?.focus();
            }}
          >
            Remove logo
          </Button>
        </div>
      ) : (
        <fieldset className={styles.colors}>
          <legend>Without a logo, we show the first letter of your business on this colour:</legend>
          <div className={styles.swatches}>
            {logoColors.map((one, index) => (
              <label key={one} className={styles.swatch} style={{ background: one }}>
                <input type="radio" name={`${id}-color`} value={one} checked={one === color} onChange={() => onColor(one)} />
                <span className="visually-hidden">{colorNames[index]}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </div>
  );
}
