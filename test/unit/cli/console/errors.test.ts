import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../../cli/console/command.ts';
import { explainError } from '../../../../cli/console/errors.ts';
import { QUOTA_CODE, StoppedBuildError } from '../../../../data/store/system-error.ts';

function systemError(code: string, message: string, path?: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code, syscall: 'write', path });
}

const FULL = 'ENOSPC: no space left on device, write';
const REMEDY = 'make room on that disk, and run the command again';

describe('a command that the disk stops says what to do', () => {
  it.each([
    [FULL, systemError('ENOSPC', 'no space left on device, write')],
    [`${FULL} '/srv/a.webp'`, systemError('ENOSPC', "no space left on device, write '/srv/a.webp'", '/srv/a.webp')],
    ['EDQUOT: disk quota exceeded, write', systemError(QUOTA_CODE, `${QUOTA_CODE}, write`)],
  ])('%s', (told, error) => {
    expect(explainError(error)).toEqual({ exitCode: EXIT.failed, message: `${told}; ${REMEDY}` });
    expect(explainError(new StoppedBuildError(error, 'nothing is published'))).toEqual({
      exitCode: EXIT.failed,
      message: `${told}; nothing is published; ${REMEDY}`,
    });
  });

  it('an error without a remedy has its sentence alone', () => {
    expect(explainError(systemError('EIO', 'input/output error, write', '/srv/store/a'))).toEqual({
      exitCode: EXIT.failed,
      message: 'EIO: input/output error, write',
    });
  });
});
