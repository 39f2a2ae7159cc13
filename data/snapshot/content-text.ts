import type { SnapshotFile } from './format.ts';

/**
 * What the hashes of a snapshot are taken over: the names and hashes of some of its files, and where another host serves
 * the pictures, since its address is in every answer.
 */
export function describeContent<File extends SnapshotFile>(
  names: readonly File[],
  files: Readonly<Record<File, { readonly sha256: string }>>,
  imagesBaseUrl: string | undefined,
): string {
  const host = imagesBaseUrl === undefined ? '' : `imagesBaseUrl ${imagesBaseUrl}\n`;
  return names.map((name) => `${name} ${files[name].sha256}\n`).join('') + host;
}
