// Apart from what throws them: every command explains errors, and need not load the server for that.

/** A server without any usable key would have nobody to answer, so it does not start (D16). */
export class NoKeyError extends Error {
  override readonly name = 'NoKeyError';

  constructor(keysFile: string) {
    super(
      `${keysFile}: expected at least one key that has not expired, found none; run deals keys create --keys ${keysFile} --name website`,
    );
  }
}

/** Files of the program itself are not there: nothing that is given on the command line can mend that. */
export class IncompleteInstallationError extends Error {
  override readonly name = 'IncompleteInstallationError';

  constructor(folder: string) {
    super(
      `${folder}: expected the pages of the server, found none; the installation is incomplete: install the package again`,
    );
  }
}
