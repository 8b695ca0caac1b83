// Past this many tags the older half is evicted.
const defaultMaxTags = 50_000;

/**
 * When each cache tag was last invalidated. An entry is fresh while none of its tags has been invalidated since its work began. Bounded: entries older
 * than an evicted tag count as stale.
 */
export class TagVersions {
  #version = 0;
  /** Changes before this version may have been missed. */
  #incompleteBefore = 0;
  #evictedUpTo = 0;
  readonly #versionOf = new Map<string, number>();
  readonly #maxTags: number;

  constructor(maxTags = defaultMaxTags) {
    this.#maxTags = maxTags;
  }

  /** Read it before the work whose result is cached. */
  get version(): number {
    return this.#version;
  }

  invalidate(tags: Iterable<string>): void {
    this.#version += 1;
    for (const tag of tags) {
      if (this.#versionOf.get(tag) === this.#version) continue;
      // Deleted first, so that the map is in the order of invalidation.
      this.#versionOf.delete(tag);
      this.#versionOf.set(tag, this.#version);
    }
    if (this.#versionOf.size > this.#maxTags) this.#evictOlderHalf();
  }

  /** For when it is unknown what changed. */
  invalidateAll(): void {
    this.#version += 1;
    this.#incompleteBefore = this.#version;
  }

  isFresh(version: number, tags: readonly string[]): boolean {
    return this.isComplete(version) && this.mayBeFresh(version, tags);
  }

  /** Whether every change since that version is known by its tags. */
  isComplete(version: number): boolean {
    return version >= this.#incompleteBefore;
  }

  /** Whether no known change has invalidated these tags. */
  mayBeFresh(version: number, tags: readonly string[]): boolean {
    return version >= this.#evictedUpTo && tags.every((tag) => (this.#versionOf.get(tag) ?? 0) <= version);
  }

  #evictOlderHalf() {
    for (const [tag, version] of this.#versionOf) {
      if (this.#versionOf.size <= this.#maxTags / 2) break;
      this.#versionOf.delete(tag);
      this.#evictedUpTo = version;
    }
  }
}
