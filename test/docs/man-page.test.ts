import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../cli/console/options.ts';
import { isMissing, tool } from '../fault/needs.ts';
import { listCommands } from '../support/list-commands.ts';
import { createManPage } from './man-page.ts';

const PAGE = await createManPage();
const COMMANDS = (await listCommands()).filter(({ commands }) => commands.length === 0);

describe('the manual page', () => {
  it('has each command with its description and all its options, and each exit code', () => {
    const text = PAGE.replaceAll('\\-', '-');
    for (const command of COMMANDS) {
      const [, section = ''] = text.split(`.SS "${nameOf(command)} `);
      const [own = ''] = section.split(/^\.S[SH] /m);
      expect(own).toContain(command.description());
      for (const { flags } of command.options) expect(own).toContain(flags);
    }
    const [, codes = ''] = text.split('.SH EXIT STATUS');
    expect([...codes.matchAll(/^\.B (\d+)$/gm)].map(([, code]) => code)).toEqual(['0', '1', '2', '3', '4', '75']);
  });

  it.skipIf(isMissing('the manual page in groff', tool('groff')))('is read by groff without a warning', () => {
    const { status, stdout, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8'], { input: PAGE, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // Bold text is overstruck.
    expect(stdout.replaceAll(/.[\b]/g, '')).toContain('EXIT STATUS');
  });

  it.skipIf(isMissing('the manual page in mandoc', tool('mandoc')))('is read by mandoc without an error', () => {
    const { stdout } = spawnSync('mandoc', ['-Tlint', '-Werror'], { input: PAGE, encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});
