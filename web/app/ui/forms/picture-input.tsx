import { uploadTypes } from '@handwise/contract/pictures';
import type { ComponentProps } from 'react';

type PictureInputProps = Omit<ComponentProps<'input'>, 'type' | 'accept' | 'onChange'> & { onTake: (files: File[]) => void };

/** Lets people choose pictures from their device. The types are named one by one: phones then hand over a JPEG instead of a format of their own. */
export function PictureInput({ onTake, ...input }: PictureInputProps) {
  return (
    <input
      {...input}
      type="file"
      accept={uploadTypes.join()}
      onChange={({ target }) => {
        onTake([...(target.files ?? [])]);
        // The same file can be chosen again.
        target.value = '';
      }}
    />
  );
}
