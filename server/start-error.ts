// A file of its own: every command explains these errors without loading the server.

/** A server without a usable key does not start: no client could use it (D16). */
export class NoKeyError extends Error {
  override readonly name = 'NoKeyError';

  constructor(keysFile: string) {
    super(
      `${keysFile}: expected at least one key that has not expired, found none; run deals keys create --keys ${keysFile} --name website`,
    );
  }
}

/** Files of the program itself are missing, which no option can fix. */
export class IncompleteInstallationError extends Error {
  override readonly name = 'IncompleteInstallationError';

  constructor(folder: string) {
    super(
      `${folder}: expected the pages of the server, found none; the installation is incomplete: install the package again`,
    );
  }
}
