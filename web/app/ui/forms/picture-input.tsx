import { uploadTypes } from '@handwise/contract/pictures';
import { type ComponentProps, type DragEvent, useEffect, useState } from 'react';

type PictureInputProps = Omit<ComponentProps<'input'>, 'type' | 'accept' | 'onChange'> & {
  onTake: (files: File[]) => void;
  takesPdf?: boolean;
};

/** A file input for pictures. The types are listed one by one, so that phones convert their own formats to JPEG. */
export function PictureInput({ onTake, takesPdf = false, ...input }: PictureInputProps) {
  return (
    <input
      {...input}
      type="file"
      accept={[...uploadTypes, ...(takesPdf ? ['application/pdf'] : [])].join()}
      onChange={({ target }) => {
        onTake([...(target.files ?? [])]);
        // Cleared, so that the same file can be chosen again.
        target.value = '';
      }}
    />
  );
}

/** The properties of a drop area for files. Files dropped elsewhere are ignored, because the browser would open them. */
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
