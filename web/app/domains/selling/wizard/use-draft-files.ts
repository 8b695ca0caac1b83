import { useCallback, useEffect, useRef, useState } from 'react';
import { deleteFile, saveFile, findFile } from '../../../lib/file-store.ts';
import type { Photo } from '../fields/photo-rules.ts';
import type { Draft } from './wizard-checks.ts';

type Files = { photos: readonly Photo[]; logo: File | null };

/** Restores the files that a draft names, without those that the browser lost. */
async function loadDraftFiles(draft: Draft): Promise<Files> {
  const photos = await Promise.all(
    draft.photos.map(async ({ id, name }) => {
      const file = await findFile(id);
      return file ? [{ id, name, file }] : [];
    }),
  );
  return { photos: photos.flat(), logo: draft.logo ? await findFile(draft.logo.id) : null };
}

/** The files of a draft. `null` until restored. Changes are stored at once. `knownLogo` is used for a new draft without a logo. */
export function useDraftFiles(draft: Draft, update: (change: Partial<Draft>) => void, knownLogo: File | null) {
  // Without files to restore, the first step shows at once.
  const [files, setFiles] = useState<Files | null>(() =>
    draft.photos.length === 0 && !draft.logo && !knownLogo ? { photos: [], logo: null } : null,
  );
  const now = useRef<Files>({ photos: [], logo: null });
  const firstDraft = useRef(draft);
  const logoId = useRef(draft.logo?.id);

  const change = useCallback((next: Files) => {
    now.current = next;
    setFiles(next);
  }, []);
  const changeLogo = useCallback(
    (logo: File | null) => {
      const stored = logo && { id: crypto.randomUUID(), name: logo.name };
      if (logoId.current) void deleteFile(logoId.current);
      logoId.current = stored?.id;
      if (logo && stored) void saveFile(stored.id, logo);
      change({ ...now.current, logo });
      update({ logo: stored });
    },
    [change, update],
  );
  useEffect(() => {
    let isCurrent = true;
    const restore = async () => {
      const loaded = await loadDraftFiles(firstDraft.current);
      if (!isCurrent) return;
      change(loaded);
      if (knownLogo && !firstDraft.current.begun && !loaded.logo) changeLogo(knownLogo);
    };
    if (firstDraft.current.photos.length > 0 || firstDraft.current.logo || knownLogo) void restore();
    return () => {
      isCurrent = false;
    };
  }, [change, changeLogo, knownLogo]);

  return {
    files,
    changePhotos(by: (photos: readonly Photo[]) => readonly Photo[]) {
      const before = now.current.photos;
      const photos = by(before);
      change({ ...now.current, photos });
      update({ photos: photos.map(({ id, name }) => ({ id, name })) });
      for (const photo of photos) if ('file' in photo && !before.includes(photo)) void saveFile(photo.id, photo.file);
      for (const { id } of before) if (!photos.some((photo) => photo.id === id)) void deleteFile(id);
    },
    changeLogo,
    /** Deletes this draft's files only: the store also has the photos of quote requests. */
    clear() {
      for (const { id } of now.current.photos) void deleteFile(id);
      if (logoId.current) void deleteFile(logoId.current);
      logoId.current = undefined;
      change({ photos: [], logo: null });
    },
  };
}
