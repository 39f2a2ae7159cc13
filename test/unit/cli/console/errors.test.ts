import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../../cli/console/command.ts';
import { explainError } from '../../../../cli/console/errors.ts';
import { StoppedBuildError } from '../../../../data/store/system-error.ts';

function systemError(code: string, message: string, path?: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code, syscall: 'write', path });
}

describe('a command that the disk stops says what to do', () => {
  it.each([
    ['ENOSPC', 'no space left on device, write', undefined],
    ['ENOSPC', "no space left on device, write '/srv/store/images/a.webp'", '/srv/store/images/a.webp'],
    ['EDQUOT', 'disk quota exceeded, write', undefined],
  ])('%s: %s', (code, message, path) => {
    const error = systemError(code, message, path);
    const remedy = 'make room on that disk, and run the command again';
    expect(explainError(error)).toEqual({ exitCode: EXIT.failed, message: `${code}: ${message}; ${remedy}` });
    const stopped = new StoppedBuildError(error, 'nothing is published');
    expect(explainError(stopped)).toEqual({
      exitCode: EXIT.failed,
      message: `${code}: ${message}; nothing is published; ${remedy}`,
    });
  });

  it('an error without a remedy has its sentence alone', () => {
    expect(explainError(systemError('EIO', 'input/output error, write', '/srv/store/a'))).toEqual({
      exitCode: EXIT.failed,
      message: 'EIO: input/output error, write',
    });
  });
});
