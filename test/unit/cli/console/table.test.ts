import { describe, expect, it } from 'vitest';
import { formatTable } from '../../../../cli/console/output.ts';

describe('a table', () => {
  it('sets words to the left and numbers and shares to the right', () => {
    expect(
      formatTable(
        ['file', 'bytes', 'share', 'note'],
        [
          ['deals.ndjson', 1200, '98.4%', 'large'],
          ['gifts', 20, '1.6%', ''],
          ['none', '', '', ''],
        ],
      ),
    ).toBe(
      [
        'file          bytes  share  note',
        'deals.ndjson   1200  98.4%  large',
        'gifts            20   1.6%',
        'none',
        '',
      ].join('\n'),
    );
  });

  it('without rows is its header', () => {
    expect(formatTable(['id', 'name'], [])).toBe('id  name\n');
  });
});
