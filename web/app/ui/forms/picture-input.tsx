import { uploadTypes } from '@handwise/contract/pictures';
import { type ComponentProps, type DragEvent, useEffect, useState } from 'react';

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

/** The properties of a drop area for files. Files dropped elsewhere are ignored: the browser would open them. */
export function useDropArea(onTake: (files: File[]) => void) {
  const [isActive, setIsActive] = useState(false);
  useEffect(() => {
    const ignore = (event: globalThis.DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault();
    addEventListener('dragover', ignore);
    addEventListener('drop', ignore);
    return () => {
      removeEventListener('dragover', ignore);
      removeEventListener('drop', ignore);
    };
  }, []);
  return {
    'data-active': isActive || undefined,
    onDragOver: () => setIsActive(true),
    onDragLeave: () => setIsActive(false),
    onDrop: ({ dataTransfer }: DragEvent) => {
      setIsActive(false);
      onTake([...dataTransfer.files]);
    },
  };
}
