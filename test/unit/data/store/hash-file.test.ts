import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hashFile } from '../../../../data/store/lines.ts';
import { createTemporaryFolder } from '../../build/publish/temporary-store.ts';

describe('hashFile', () => {
  it('says of each file what it is, regardless of what was read before it: nothing, more than fits at once, less', () => {
    const folder = createTemporaryFolder();
    for (const length of [3, 2_500_000, 1 << 20, 0, 5]) {
      const content = Buffer.alloc(length, `file of ${length}`);
      writeFileSync(join(folder, 'file'), content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(hashFile(join(folder, 'file'))).toEqual({ bytes: length, sha256 });
    }
  });
});
