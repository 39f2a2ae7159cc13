/**
 * What `manifestHash` is taken over: the values of a manifest in the order of the file, without the hash itself and
 * without white space. A flipped bit that leaves all of these as they are is in none that anybody reads.
 */
export function describeManifest(manifest: object): string {
  return JSON.stringify({ ...manifest, manifestHash: undefined });
}
